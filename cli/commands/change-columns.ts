import type { Change, ChangeSide } from '#shared/contract/change.ts';
import { nameOperator } from '#shared/contract/wording.ts';
import { formatTime } from '../terminal/format-time.ts';
import type { Column } from '../terminal/print-table.ts';

/** The columns of a history. */
export const changeColumns: readonly Column<Change>[] = [
  { title: 'WHEN', cell: ({ at }) => formatTime(at) },
  { title: 'ACTION', cell: ({ action }) => action },
  { title: 'SUBJECT', cell: subject },
  { title: 'CHANGE', cell: describe },
  { title: 'CHANGED BY', cell: ({ caller }) => callerName(caller) },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-' },
  { title: 'TICKET', cell: ({ ticket }) => ticket ?? '-' },
];

function subject({ userId, appId, role, keyId }: Change): string {
  return [userId, appId, role, keyId].filter((id) => id !== undefined).join(' ');
}

/** What differs, the change that it undid, and the bulk change, by which both can be listed and undone. */
function describe(change: Change): string {
  const { undoOf, bulkId } = change;
  const links = [undoOf && `undo of ${undoOf}`, bulkId && `bulk ${bulkId}`];
  return [differences(change), ...links].filter(Boolean).join(', ') || '-';
}

/** `status enabled → disabled, until - → 2026-11-20 21:14:11Z`, without the version and without a reason shown in REASON. */
function differences({ before, after, reason }: Change): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const changed = names.filter((name) => name !== 'version' && format(before?.[name]) !== format(after?.[name]));
  const shown = changed.filter((name) => name !== 'reason' || after?.reason !== reason);
  return shown.map((name) => `${label(name)} ${formatOf(name, before)} → ${formatOf(name, after)}`).join(', ');
}

const labels: Readonly<Record<string, string>> = {
  rolloutPercent: 'rollout',
  requestsPerSecond: 'requests per second',
  requireReason: 'reasons required of',
};

function label(name: string): string {
  return labels[name] ?? name;
}

function formatOf(name: string, side: ChangeSide | null): string {
  const text = format(side?.[name]);
  return name === 'rolloutPercent' && text !== '-' ? `${text} %` : text;
}

function format(value: ChangeSide[string] | undefined): string {
  if (value === null || value === undefined || value === '') return '-';
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T.*Z$/.test(value) ? formatTime(value) : String(value);
}

/** A caller in readable form: the key id, or the operator with the role. */
export function callerName(caller: Change['caller']): string {
  return caller.kind === 'api-key' ? caller.keyId : `${nameOperator(caller)} (${caller.role})`;
}
