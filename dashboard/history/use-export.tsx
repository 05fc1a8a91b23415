import Button from '@cloudscape-design/components/button';
import { useEffect, useRef } from 'react';
import type { Selection } from '#shared/archive/verification.ts';
import { type Change, recordOf } from '#shared/contract/change.ts';
import { countOf } from '#shared/contract/wording.ts';
import { type ChangeFormat, createChangeFile, type KnownNames } from '#shared/csv/change-table.ts';
import { toProblem } from '../api/problem-error.ts';
import type { LoadPage } from '../api/use-pages.ts';
import { localTimeText } from '../lists/local-time.tsx';
import { saveFile } from '../lists/save-file.ts';
import { useNewWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { useNotices } from '../shell/notices.tsx';
import { describeCaller } from './describe-caller.ts';
import { useNameFinder } from './use-names.ts';

const id = 'export';

/** A table, records, or an archive of both with their verification. */
export type ExportFormat = ChangeFormat | 'zip';

export interface ExportOptions {
  readonly load: LoadPage<Change>;
  /** The filters of the list, for an archive. */
  readonly selection: Selection;
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
export function useExport({ load, selection }: ExportOptions): (format: ExportFormat) => Promise<void> {
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

  const archive = async (signal: AbortSignal, say: Say): Promise<Exported> => {
    const changes: Change[] = [];
    const take = async (page: readonly Change[]) => void changes.push(...page.map(recordOf));
    const { isCut } = await readChanges({ load, signal, say, take, limit: maxVerified });
    const count = countOf(changes.length, 'change');
    say(`Verifying ${count}…`);
    const { createVerifiedArchive } = await import('./verified-archive.ts');
    const verifiedBy = caller === null ? 'unknown' : describeCaller(caller, (appId) => appId);
    const { file, verification } = await createVerifiedArchive({
      changes,
      names: await newNameFinder(signal)(changes),
      newWriter,
      signal,
      context: { verifiedBy, service: location.origin, selection: given(selection), isComplete: !isCut, limitedTo },
      onProgress: (done, total) => say(`Verifying ${count}: request ${done} of ${total}…`),
    });
    const { isSound, sentences } = verification;
    const result = isSound ? 'All are as the service wrote them.' : `The verification failed. ${sentences.join(' ')}`;
    const summary = `Exported and verified ${count}. ${result}`;
    return { file: new Blob([file], { type: 'application/zip' }), summary, isSound, isCut };
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
      const exported = format === 'zip' ? await archive(signal, say) : await table(format, signal, say);
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
/** Each request verifies about twenty. */
const maxVerified = 20_000;

const noNames: KnownNames = { users: new Map(), applications: new Map() };
const types: Readonly<Record<ChangeFormat, string>> = { csv: 'text/csv', json: 'application/json' };

function noticeOf({ summary, isSound, isCut }: Exported) {
  const content = isCut ? `${summary} Older changes were left out. Narrow the time range to export them.` : summary;
  if (!isSound) return { type: 'error', content } as const;
  return { type: isCut ? 'warning' : 'success', content } as const;
}

/** The filters that are set. */
function given(selection: Selection): Selection {
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
