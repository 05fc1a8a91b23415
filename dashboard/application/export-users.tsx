import Button from '@cloudscape-design/components/button';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import { readUpTo } from '#shared/contract/read-all.ts';
import { countOf } from '#shared/contract/wording.ts';
import { toProblem } from '../api/problem-error.ts';
import type { LoadPage } from '../api/use-pages.ts';
import { saveFile } from '../lists/save-file.ts';
import { useNotices } from '../shell/notices.tsx';

export interface ExportUsersProps {
  readonly appId: string;
  /** Loads the users that the list's search and filter find. */
  readonly load: LoadPage<ApplicationUserView>;
}

/** More might not fit into the browser's memory. */
const maxExported = 100_000;
const maxPageSize = '100';

/** Saves all users of the list as CSV; leaving the page cancels it. */
export function ExportUsers({ appId, load }: ExportUsersProps) {
  const { show } = useNotices();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const control = new AbortController();
      running.current = control;
      const [{ items, isCut }, { createUsersFile }] = await Promise.all([
        readUpTo(maxExported, (cursor) => load(cursor, control.signal, maxPageSize)),
        import('./users-file.ts'),
      ]);
      if (control.signal.aborted) return;
      const name = `users-of-${appId}-${new Date().toISOString().slice(0, 10)}.csv`;
      saveFile(name, new Blob([createUsersFile(items)], { type: 'text/csv' }));
      const saved = `Exported ${countOf(items.length, 'user')}.`;
      show({
        ...{ id: 'export-users', type: isCut ? 'warning' : 'success' },
        content: isCut ? `${saved} The others were left out. Narrow the list to export them.` : saved,
      });
    },
    onError: (error) => {
      if (running.current?.signal.aborted) return;
      const { title, message } = toProblem(error);
      show({ id: 'export-users', type: 'error', content: `The export failed. ${title}: ${message}` });
    },
  });
  return (
    <Button loading={isPending} loadingText="Exporting users" onClick={() => mutate()}>
      Export as CSV
    </Button>
  );
}
