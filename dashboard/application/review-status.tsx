import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ApplicationView } from '#shared/contract/application.ts';
import { isReviewOverdue } from '#shared/contract/review-due.ts';
import { LocalTime } from '../lists/local-time.tsx';

/** Whether a review of an application is overdue, and when it is due. */
export function ReviewDue({ application }: { readonly application: ApplicationView }) {
  const { reviewDueAt } = application;
  if (reviewDueAt === null) return <Box color="text-body-secondary">Not expected</Box>;
  const isOverdue = isReviewOverdue(application, new Date());
  return (
    <>
      {isOverdue && <StatusIndicator type="warning">Review overdue</StatusIndicator>}
      <div>
        {isOverdue ? 'Since' : 'Due'} <LocalTime at={reviewDueAt} />
      </div>
    </>
  );
}
