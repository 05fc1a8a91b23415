import { type Change, recordOf } from '#shared/contract/change.ts';
import { describeAction, describeState } from '#shared/contract/change-words.ts';
import { callerId, nameCaller } from '#shared/contract/wording.ts';
import { type CsvColumn, createCsv, utcTime } from './write-csv.ts';

/** The current names of users and applications, by id; those that no longer exist have none. */
export interface KnownNames {
  readonly users: ReadonlyMap<string, string>;
  readonly applications: ReadonlyMap<string, string>;
}

interface NamedChange {
  readonly change: Change;
  readonly names: KnownNames;
}

const column = (title: string, cell: (change: Change, names: KnownNames) => string | undefined) => {
  return { title, cell: ({ change, names }: NamedChange) => cell(change, names) ?? '' };
};

const callerKinds = { 'api-key': 'API key', connection: 'Connection', service: 'service' } as const;

function callerNameOf(caller: Change['caller'], applications: KnownNames['applications']): string {
  if (caller.kind === 'api-key') return applications.get(caller.appId) ?? caller.appId;
  return caller.kind === 'connection' ? caller.connectionId : nameCaller(caller);
}

const columns: readonly CsvColumn<NamedChange>[] = [
  column('time', ({ at }) => utcTime(at)),
  column('byName', ({ caller }, { applications }) => callerNameOf(caller, applications)),
  column('byId', ({ caller }) => callerId(caller)),
  column('byRole', ({ caller }) => (caller.kind === 'operator' ? caller.role : callerKinds[caller.kind])),
  column('action', describeAction),
  column('userName', ({ userId = '' }, { users }) => users.get(userId)),
  column('userId', ({ userId }) => userId),
  column('appName', ({ appId = '' }, { applications }) => applications.get(appId)),
  column('appId', ({ appId }) => appId),
  column('connectionId', ({ connectionId }) => connectionId),
  column('role', ({ role }) => role),
  column('keyId', ({ keyId }) => keyId),
  column('webhookId', ({ webhookId }) => webhookId),
  column('before', ({ before }) => describeState(before, utcTime)),
  column('after', ({ after }) => describeState(after, utcTime)),
  column('reason', ({ reason }) => reason ?? ''),
  column('ticket', ({ ticket }) => ticket),
  column('undoOf', ({ undoOf }) => undoOf),
  column('bulkId', ({ bulkId }) => bulkId),
  column('changeId', ({ id }) => id),
  column('actionCode', ({ action }) => action),
  column('sourceIp', ({ sourceIp }) => sourceIp),
  column('requestId', ({ requestId }) => requestId),
];

/** A file of changes written in parts: its head, the text of more changes, and its end. */
export interface ChangeFile {
  readonly begin: string;
  readonly add: (changes: readonly Change[], names: KnownNames) => string;
  readonly end: string;
}

export type ChangeFormat = 'csv' | 'json';

/**
 * The changes of a history as a table for a spreadsheet, which needs no other file to be understood, or as a JSON array of the
 * records, which can be verified.
 */
export function createChangeFile(format: ChangeFormat): ChangeFile {
  if (format === 'csv') {
    const { head, lines } = createCsv(columns);
    return { begin: head, add: (changes, names) => lines(changes.map((change) => ({ change, names }))), end: '' };
  }
  let isFirst = true;
  const separator = () => {
    const text = isFirst ? '\n' : ',\n';
    isFirst = false;
    return text;
  };
  const add = (changes: readonly Change[]) =>
    changes.map((change) => separator() + JSON.stringify(recordOf(change))).join('');
  return { begin: '[', add, end: '\n]\n' };
}
