import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readUpTo } from '#shared/contract/read-all.ts';
import { countOf } from '#shared/contract/wording.ts';
import { toProblem } from '../api/problem-error.ts';
import type { LoadPage } from '../api/use-pages.ts';
import { saveFile } from '../lists/save-file.ts';
import { useNotices } from '../shell/notices.tsx';

export interface ExportListProps<Item> {
  /** The beginning of the name of the file, such as `users-of-billing`. */
  readonly name: string;
  /** What is exported, as a single one. Default: `user`. */
  readonly noun?: string;
  /** Loads the items of the list, by its search and filter. */
  readonly load: LoadPage<Item>;
  readonly createFile: (items: readonly Item[]) => Promise<string>;
  /** Called once the whole list is saved. */
  readonly onSaved?: () => void;
}

/** More might not fit into the browser's memory. */
const maxExported = 100_000;
const maxPageSize = '100';

/** Saves all items of a list as CSV, at once and at each click, and says how many are loaded meanwhile; leaving the page cancels it. */
export default function ExportList<Item>({ name, noun = 'user', load, createFile, onSaved }: ExportListProps<Item>) {
  const { show } = useNotices();
  const running = useRef<AbortController>(undefined);
  const [count, setCount] = useState(0);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const control = new AbortController();
      running.current = control;
      setCount(0);
      const { items, isCut } = await readUpTo(maxExported, async (cursor) => {
        const page = await load(cursor, control.signal, maxPageSize);
        setCount((before) => before + page.items.length);
        return page;
      });
      const file = await createFile(items);
      if (control.signal.aborted) return;
      saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, new Blob([file], { type: 'text/csv' }));
      const saved = `Exported ${countOf(items.length, noun)}.`;
      show({
        id: `export-${name}`,
        type: isCut ? 'warning' : 'success',
        content: isCut ? `${saved} The others were left out. Narrow the list to export them.` : saved,
      });
      if (!isCut) onSaved?.();
    },
    onError: (error) => {
      if (running.current?.signal.aborted) return;
      const { title, message } = toProblem(error);
      show({ id: `export-${name}`, type: 'error', content: `The export failed. ${title}: ${message}` });
    },
  });
  const button = useRef<ButtonProps.Ref>(null);
  // It was mounted by a click on the button that it replaces.
  useEffect(() => {
    button.current?.focus();
    mutate();
  }, [mutate]);
  return (
    <Button ref={button} loading={isPending} loadingText={`Exporting ${noun}s`} onClick={() => mutate()}>
      {isPending && count > 0 ? `${countOf(count, noun)} …` : 'Export as CSV'}
    </Button>
  );
}
