import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { describeFieldErrors } from '#shared/contract/field-words.ts';
import { toProblem } from '../api/problem-error.ts';

export interface ProblemAlertProps {
  readonly error: Error | null | undefined;
  /** Adds a button to retry. */
  readonly retry?: (() => void) | undefined;
}

/** Why a request failed, with the request ID for support. */
export function ProblemAlert({ error, retry }: ProblemAlertProps) {
  if (!error) return null;
  const problem = toProblem(error);
  const { title, message, requestId, errors } = problem;
  return (
    <div role="alert">
      <Alert type="error" header={title} action={retry && <Button onClick={retry}>Try again</Button>}>
        {/* If fields are invalid, the service's own sentence contains JSON pointers for programs. */}
        {errors.length === 0 && message}
        {describeFieldErrors(problem.errors).map((sentence) => (
          <Box key={sentence} color="inherit">
            {sentence}
          </Box>
        ))}
        {requestId && (
          <Box variant="small" display="block" color="inherit">
            Request ID: {requestId}
          </Box>
        )}
      </Alert>
    </div>
  );
}
