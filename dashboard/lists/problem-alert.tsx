import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import type { ProblemError } from '../api/problem-error.ts';

export interface ProblemAlertProps {
  readonly problem: ProblemError | undefined;
  /** Offers to try again. */
  readonly retry?: () => void;
}

/** What the service said against it, in its own words, with what support needs to find it. */
export function ProblemAlert({ problem, retry }: ProblemAlertProps) {
  if (problem === undefined) return null;
  const { title, message, requestId, errors } = problem;
  const elsewhere = errors.filter(({ detail }) => !message.includes(detail));
  return (
    <div role="alert">
      <Alert type="error" header={title} action={retry && <Button onClick={retry}>Try again</Button>}>
        {message}
        {elsewhere.map(({ pointer, detail }) => (
          <Box key={pointer} color="inherit">
            {pointer.replace(/^#\/|^\w+:/, '')}: {detail}
          </Box>
        ))}
        {requestId && (
          <Box variant="small" display="block" color="inherit">
            Request {requestId}
          </Box>
        )}
      </Alert>
    </div>
  );
}
