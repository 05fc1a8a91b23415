import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { toProblem } from '../api/problem-error.ts';

export interface ProblemAlertProps {
  readonly error: Error | null | undefined;
  /** Adds a button to try again. */
  readonly retry?: (() => void) | undefined;
}

/** Why a request failed, in the service's words, with the request id for support. */
export function ProblemAlert({ error, retry }: ProblemAlertProps) {
  if (!error) return null;
  const { title, message, requestId, errors } = toProblem(error);
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
