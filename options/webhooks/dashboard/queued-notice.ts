import { useNotices } from '#dashboard/shell/notices.tsx';

/** Says that something is on its way, or why it is not. */
export function useQueuedNotice(): (isQueued: boolean, words: string) => void {
  const { show } = useNotices();
  return (isQueued, words) =>
    show(
      isQueued
        ? { id, type: 'success', content: `${words} The attempts below show the result.`, seconds: 10 }
        : { id, type: 'warning', content: 'Nothing was sent: this deployment does not deliver in this format.' },
    );
}

const id = 'queued';
