import type { Change, ChangeSide } from '#shared/contract/change.ts';
import { formatMoment } from './format-moment.ts';
import type { Column } from './print-table.ts';

/** The columns of a history. */
export const changeColumns: readonly Column<Change>[] = [
  { title: 'WHEN', cell: ({ at }) => formatMoment(at) },
  { title: 'ACTION', cell: ({ action }) => action },
  { title: 'OF', cell: concerned },
  { title: 'CHANGE', cell: differences },
  { title: 'BY', cell: ({ caller }) => callerName(caller) },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-' },
];

function concerned({ userId, appId, role, keyId }: Change): string {
  return [userId, appId, role, keyId].filter((id) => id !== undefined).join(' ');
}

/** `status enabled → disabled, until - → 2026-11-20 21:14:11Z`; the version only counts, and the reason has its own column. */
function differences({ before, after, reason }: Change): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const changed = names.filter((name) => name !== 'version' && shown(before?.[name]) !== shown(after?.[name]));
  const untold = changed.filter((name) => name !== 'reason' || after?.reason !== reason);
  return untold.map((name) => `${name} ${shown(before?.[name])} → ${shown(after?.[name])}`).join(', ') || '-';
}

function shown(value: ChangeSide[string] | undefined): string {
  if (value === null || value === undefined || value === '') return '-';
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T.*Z$/.test(value) ? formatMoment(value) : String(value);
}

/** Of an ARN what names the person; the e-mail address if there is one. */
function callerName(caller: Change['caller']): string {
  if (caller.kind === 'api-key') return caller.keyId;
  return caller.email ?? caller.id.replace(/^arn:[a-z-]+:(?:iam|sts)::\d*:/, '');
}
