import type { ManagementClient } from '#client/management/management-client.ts';
import type { Change } from '#shared/contract/change.ts';
import { describeAction, differences } from '#shared/contract/change-words.ts';
import { nameCaller, nameOperator } from '#shared/contract/wording.ts';
import type { KnownNames } from '#shared/csv/change-table.ts';
import { createNameFinder } from '#shared/csv/known-names.ts';
import { formatTime } from '../terminal/format-time.ts';
import type { Column } from '../terminal/print-table.ts';
import { namesFrom } from './export-changes.ts';

/** A history as a table, which names users and applications. */
export function changeTable(client: ManagementClient) {
  const findNames = createNameFinder(namesFrom(client));
  let names: KnownNames = { users: new Map(), applications: new Map() };
  return {
    columns: changeColumns(() => names),
    /** Finds the names for a page before it is printed. */
    prepare: async (changes: readonly Change[]): Promise<void> => {
      if (changes.length > 0) names = await findNames(changes);
    },
  };
}

/** The columns of a history, with the names that are known by then. */
export function changeColumns(names: () => KnownNames): readonly Column<Change>[] {
  return [
    { title: 'WHEN', cell: ({ at }) => formatTime(at) },
    { title: 'ACTION', rank: 2, cell: describeAction },
    { title: 'SUBJECT', isText: true, rank: 1, cell: (change) => subject(change, names()) },
    { title: 'CHANGE', isText: true, rank: 4, cell: describe },
    { title: 'CHANGED BY', isText: true, rank: 3, cell: ({ caller }) => callerName(caller) },
    { title: 'REASON', isText: true, cell: ({ reason }) => reason ?? '-' },
    { title: 'TICKET', cell: ({ ticket }) => ticket ?? '-' },
  ];
}

/** `Ada King (ada) in Billing (billing), editor`. */
function subject({ userId, appId, role, keyId, webhookId }: Change, { users, applications }: KnownNames): string {
  const places = [userId && named(userId, users), appId && named(appId, applications)].filter(Boolean);
  return [places.join(' in '), role, keyId, webhookId].filter(Boolean).join(', ');
}

function named(id: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(id);
  return name === undefined || name === id ? id : `${name} (${id})`;
}

/** What differs in the words of the dashboard, the change that it undid, and the bulk change, by which both can be listed and undone. */
function describe(change: Change): string {
  const { undoOf, bulkId } = change;
  const parts = differences(change, formatTime).map(({ name, before, after = 'none' }) =>
    before === undefined ? `${name}: ${after}` : `${name}: ${before} → ${after}`,
  );
  const links = [undoOf && `undo of ${undoOf}`, bulkId && `bulk ${bulkId}`];
  return [...parts, ...links].filter(Boolean).join(', ') || '-';
}

/** A caller in readable form: the key id, which names an application or a connection, or the operator with the role. */
export function callerName(caller: Change['caller']): string {
  return caller.kind === 'operator' ? `${nameOperator(caller)} (${caller.role})` : nameCaller(caller);
}
