import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useSentChanges } from './dashboard-context.ts';
import type { Fate } from './sent-changes.ts';

const groups: readonly { readonly fate: Fate; readonly header: string; readonly advice?: string }[] = [
  { fate: 'refused', header: 'Not saved', advice: 'Make the change again after you have logged in.' },
  {
    fate: 'unsent',
    header: 'Not sent',
    advice: 'Start it again after you have logged in: what is done stays as it is.',
  },
  { fate: 'unknown', header: 'No answer', advice: 'It may be saved or not. Check after you have logged in.' },
  { fate: 'sending', header: 'Waiting for the answer' },
  { fate: 'saved', header: 'Saved' },
];

/** What an ended session leaves: what was saved and what was not, of the changes that were being saved when it ended. */
export function SessionEnded() {
  const changes = useSentChanges();
  return (
    <SpaceBetween size="m">
      {groups.map(({ fate, header, advice }) => {
        const those = changes.filter((change) => change.fate === fate);
        if (those.length === 0) return null;
        const isDone = fate === 'saved' || fate === 'sending';
        return (
          <div key={fate} role={isDone ? 'status' : 'alert'}>
            <Alert type={isDone ? 'info' : 'warning'} header={header}>
              {those.map(({ words }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: several changes can have the same words, and none is moved
                <Box key={index}>{words}</Box>
              ))}
              {advice}
            </Alert>
          </div>
        );
      })}
      <Box>
        {changes.length === 0 && 'No change was being saved when it ended. '}
        Log in again to return to this page. What you typed into a form comes back when you open it again.
      </Box>
    </SpaceBetween>
  );
}
