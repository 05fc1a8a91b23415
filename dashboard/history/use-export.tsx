import Button from '@cloudscape-design/components/button';
import { useEffect, useRef } from 'react';
import * as options from '#options/dashboard-exports.ts';
import { type Change, recordOf } from '#shared/contract/change.ts';
import type { verifyChangesOperation } from '#shared/contract/history.ts';
import type { BodyInput } from '#shared/contract/operation.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { ArchiveFormat } from '#shared/csv/change-archive.ts';
import { type ChangeFormat, createChangeFile, type KnownNames } from '#shared/csv/change-table.ts';
import { toProblem } from '../api/problem-error.ts';
import type { LoadPage } from '../api/use-pages.ts';
import { localTimeText } from '../lists/local-time-text.ts';
import { saveFile } from '../lists/save-file.ts';
import { useNewWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { useNotices } from '../shell/notices.tsx';
import { describeCaller } from './describe-caller.ts';
import type { HistoryQuery } from './history-filter.ts';
import { useNameFinder } from './use-names.ts';

const id = 'export';

const archives: Readonly<Record<string, ArchiveFormat>> = options;

/** The formats of an export, as a menu shows them: a table, records, and what options add. */
export const exportFormats: readonly { readonly id: string; readonly text: string }[] = [
  { id: 'csv', text: 'Export as CSV' },
  { id: 'json', text: 'Export as JSON' },
  ...Object.entries(archives).map(([id, { text }]) => ({ id, text })),
];

export interface ExportOptions {
  readonly load: LoadPage<Change>;
  /** The filters of the list, for an archive. */
  readonly selection: HistoryQuery;
}

/** What was exported, for the notice. */
interface Exported {
  readonly file: Blob;
  readonly summary: string;
  readonly isSound: boolean;
  /** Whether older changes were left out. */
  readonly isCut: boolean;
}

/** Shows the progress. */
type Say = (content: string) => void;

/** Saves all changes of a list as a file; a notice shows the progress with a button to cancel. Leaving the page cancels too. */
export function useExport({ load, selection }: ExportOptions): (format: string) => Promise<void> {
  const notices = useNotices();
  const newNameFinder = useNameFinder();
  const newWriter = useNewWriter();
  const { caller, limitedTo } = useOperator();
  const running = useRef<AbortController>(undefined);
  const cancel = () => {
    running.current?.abort();
    notices.hide(id);
  };
  const leave = useRef(cancel);
  leave.current = cancel;
  useEffect(() => () => leave.current(), []);

  const archive = async (format: ArchiveFormat, signal: AbortSignal, say: Say): Promise<Exported> => {
    const changes: Change[] = [];
    const take = async (page: readonly Change[]) => void changes.push(...page.map(recordOf));
    const { isCut } = await readChanges({ load, signal, say, take, limit: format.maxChanges });
    const verifiedBy = caller === null ? 'unknown' : describeCaller(caller, (appId) => appId);
    const { bytes, summary, isSound } = await format.write({
      changes,
      names: await newNameFinder(signal)(changes),
      context: { verifiedBy, service: location.origin, selection: given(selection), isComplete: !isCut, limitedTo },
      ask: async (posted) => {
        const body = { changes: [...posted] } as BodyInput<typeof verifyChangesOperation>;
        return (await newWriter()('verify-changes', { body, signal })).items;
      },
      now: () => new Date(),
      say,
    });
    return { file: new Blob([bytes], { type: format.type }), summary, isSound, isCut };
  };

  const table = async (format: ChangeFormat, signal: AbortSignal, say: Say): Promise<Exported> => {
    const { begin, add, end } = createChangeFile(format);
    const findNames = format === 'csv' ? newNameFinder(signal) : async () => noNames;
    const parts = [begin];
    const take = async (page: readonly Change[]) => void parts.push(add(page, await findNames(page)));
    const { isCut, count } = await readChanges({ load, signal, say, take, limit: maxExported });
    const file = new Blob([...parts, end], { type: types[format] });
    return { file, summary: `Exported ${countOf(count, 'change')}.`, isSound: true, isCut };
  };

  return async (format) => {
    cancel();
    const control = new AbortController();
    running.current = control;
    const action = <Button onClick={cancel}>Cancel</Button>;
    const say = (content: string) => {
      if (!control.signal.aborted) notices.show({ id, type: 'info', content, action });
    };
    say('Exporting changes…');
    try {
      const { signal } = control;
      const added = archives[format];
      const exported = added
        ? await archive(added, signal, say)
        : await table(format === 'csv' ? 'csv' : 'json', signal, say);
      if (signal.aborted) return;
      saveFile(`changes-${new Date().toISOString().slice(0, 10)}.${format}`, exported.file);
      notices.show({ id, ...noticeOf(exported) });
    } catch (error) {
      if (control.signal.aborted) return;
      const { title, message } = toProblem(error as Error);
      notices.show({ id, type: 'error', content: `The export failed. ${title}: ${message}` });
    }
  };
}

/** More might not fit into the browser's memory. */
const maxExported = 100_000;

const noNames: KnownNames = { users: new Map(), applications: new Map() };
const types: Readonly<Record<ChangeFormat, string>> = { csv: 'text/csv', json: 'application/json' };

function noticeOf({ summary, isSound, isCut }: Exported) {
  const content = isCut ? `${summary} Older changes were left out. Narrow the time range to export them.` : summary;
  if (!isSound) return { type: 'error', content } as const;
  return { type: isCut ? 'warning' : 'success', content } as const;
}

/** The filters that are set. */
function given(selection: HistoryQuery): HistoryQuery {
  return Object.fromEntries(Object.entries(selection).filter(([, value]) => value));
}

interface ReadRequest {
  readonly load: LoadPage<Change>;
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly say: Say;
  readonly take: (changes: readonly Change[]) => Promise<void>;
}

/** Reads all pages of a list of changes, up to the limit; `isCut` says whether older changes were left out. */
async function readChanges({ load, signal, limit, say, take }: ReadRequest) {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await load(cursor, signal);
    const items = page.items.slice(0, limit - count);
    await take(items);
    count += items.length;
    cursor = page.cursor ?? undefined;
    const backTo = items.at(-1)?.at;
    say(`Exporting ${countOf(count, 'change')}${backTo ? `, back to ${localTimeText(backTo)}` : ''}…`);
  } while (cursor !== undefined && count < limit);
  return { count, isCut: cursor !== undefined };
}
