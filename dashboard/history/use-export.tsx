import Button from '@cloudscape-design/components/button';
import { useEffect, useRef } from 'react';
import type { Change } from '#shared/contract/change.ts';
import { countOf } from '#shared/contract/wording.ts';
import { type ChangeFormat, createChangeFile, type KnownNames } from '#shared/csv/change-table.ts';
import type { FindNames } from '#shared/csv/known-names.ts';
import { toProblem } from '../api/problem-error.ts';
import type { LoadPage } from '../api/use-pages.ts';
import { localTimeText } from '../lists/local-time.tsx';
import { saveFile } from '../lists/save-file.ts';
import { useNotices } from '../shell/notices.tsx';
import { useNameFinder } from './use-names.ts';

const id = 'export';

/** Saves all changes of a list as a file; a notice shows the progress with a button to cancel. Leaving the page cancels too. */
export function useExport(load: LoadPage<Change>): (format: ChangeFormat) => Promise<void> {
  const notices = useNotices();
  const newNameFinder = useNameFinder();
  const running = useRef<AbortController>(undefined);
  const cancel = () => {
    running.current?.abort();
    notices.hide(id);
  };
  const leave = useRef(cancel);
  leave.current = cancel;
  useEffect(() => () => leave.current(), []);
  return async (format) => {
    cancel();
    const control = new AbortController();
    running.current = control;
    const action = <Button onClick={cancel}>Cancel</Button>;
    const say = (content: string) => notices.show({ id, type: 'info', content, action });
    say('Exporting changes…');
    try {
      const { file, count, isCut } = await collectChanges({
        ...{ format, load, findNames: format === 'csv' ? newNameFinder(control.signal) : undefined },
        signal: control.signal,
        onProgress: (soFar, backTo) =>
          control.signal.aborted ||
          say(`Exporting ${countOf(soFar, 'change')}${backTo ? `, back to ${localTimeText(backTo)}` : ''}…`),
      });
      if (control.signal.aborted) return;
      saveFile(`changes-${new Date().toISOString().slice(0, 10)}.${format}`, file);
      const saved = `Exported ${countOf(count, 'change')}.`;
      const content = isCut ? `${saved} Older changes were left out. Narrow the time range to export them.` : saved;
      notices.show({ id, type: isCut ? 'warning' : 'success', content });
    } catch (error) {
      if (control.signal.aborted) return;
      const { title, message } = toProblem(error as Error);
      notices.show({ id, type: 'error', content: `The export failed. ${title}: ${message}` });
    }
  };
}

/** More might not fit into the browser's memory. */
const maxExported = 100_000;

interface CollectedChanges {
  readonly file: Blob;
  readonly count: number;
  /** Whether older changes were left out of the file. */
  readonly isCut: boolean;
}

interface CollectRequest {
  readonly format: ChangeFormat;
  readonly load: LoadPage<Change>;
  /** Undefined for a format without names. */
  readonly findNames: FindNames | undefined;
  readonly signal: AbortSignal;
  /** Called after each page with the number of changes so far and the time of the last one. */
  readonly onProgress: (count: number, backTo: string | undefined) => void;
}

const types: Readonly<Record<ChangeFormat, string>> = { csv: 'text/csv', json: 'application/json' };

const noNames: KnownNames = { users: new Map(), applications: new Map() };

/** Reads all pages of a list of changes into a file, up to the limit. */
async function collectChanges(request: CollectRequest): Promise<CollectedChanges> {
  const { format, load, findNames, signal, onProgress } = request;
  const { begin, add, end } = createChangeFile(format);
  const parts = [begin];
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await load(cursor, signal);
    const items = page.items.slice(0, maxExported - count);
    parts.push(add(items, (await findNames?.(items)) ?? noNames));
    count += items.length;
    cursor = page.cursor ?? undefined;
    onProgress(count, items.at(-1)?.at);
  } while (cursor !== undefined && count < maxExported);
  return { file: new Blob([...parts, end], { type: types[format] }), count, isCut: cursor !== undefined };
}
