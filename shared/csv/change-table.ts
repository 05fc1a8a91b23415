import { type Change, recordOf } from '#shared/contract/change.ts';
import { type CsvColumn, createCsv } from './write-csv.ts';

const columns: readonly CsvColumn<Change>[] = [
  { title: 'at', cell: ({ at }) => at },
  { title: 'action', cell: ({ action }) => action },
  { title: 'application', cell: ({ appId = '' }) => appId },
  { title: 'user', cell: ({ userId = '' }) => userId },
  { title: 'role', cell: ({ role = '' }) => role },
  { title: 'key', cell: ({ keyId = '' }) => keyId },
  { title: 'by', cell: ({ caller }) => (caller.kind === 'api-key' ? caller.keyId : caller.id) },
  { title: 'by e-mail', cell: ({ caller }) => (caller.kind === 'operator' ? (caller.email ?? '') : '') },
  { title: 'by role', cell: ({ caller }) => (caller.kind === 'operator' ? caller.role : '') },
  { title: 'by application', cell: ({ caller }) => (caller.kind === 'api-key' ? caller.appId : '') },
  { title: 'reason', cell: ({ reason }) => reason ?? '' },
  { title: 'ticket', cell: ({ ticket = '' }) => ticket },
  { title: 'before', cell: ({ before }) => (before === null ? '' : JSON.stringify(before)) },
  { title: 'after', cell: ({ after }) => (after === null ? '' : JSON.stringify(after)) },
  { title: 'undo of', cell: ({ undoOf = '' }) => undoOf },
  { title: 'bulk', cell: ({ bulkId = '' }) => bulkId },
  { title: 'source address', cell: ({ sourceIp }) => sourceIp },
  { title: 'request', cell: ({ requestId }) => requestId },
  { title: 'change', cell: ({ id }) => id },
];

/** A file of changes written in parts: its head, the text of more changes, and its end. */
export interface ChangeFile {
  readonly begin: string;
  readonly add: (changes: readonly Change[]) => string;
  readonly end: string;
}

export type ChangeFormat = 'csv' | 'json';

/** The changes of a history as a table for a spreadsheet, or as a JSON array of the records, which can be verified. */
export function createChangeFile(format: ChangeFormat): ChangeFile {
  if (format === 'csv') {
    const { head, lines } = createCsv(columns);
    return { begin: head, add: lines, end: '' };
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
