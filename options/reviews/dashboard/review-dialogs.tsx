import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Input from '@cloudscape-design/components/input';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '#dashboard/api/queries.ts';
import { useAction } from '#dashboard/api/use-action.ts';
import { useApplicationUpdate } from '#dashboard/application/use-application-update.ts';
import { Field } from '#dashboard/forms/field.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { noReason, ReasonFields, reasonBody } from '#dashboard/forms/reason-fields.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { localTimeText } from '#dashboard/lists/local-time-text.ts';
import { useNewWriter, useWriter } from '#dashboard/session/dashboard-context.ts';
import { useNotices } from '#dashboard/shell/notices.tsx';
import type { ApplicationView } from '#shared/contract/application.ts';
import { maxReviewEveryDays } from '#shared/contract/application-fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { maxLaterChanges } from '../contract/review-limits.ts';

export interface ReadList {
  /** When the list was read. */
  readonly asOf: string;
  readonly isExported: boolean;
}

export interface MarkDialogProps {
  readonly application: ApplicationView;
  readonly list: ReadList;
  readonly onMarked: () => void;
  readonly onClose: () => void;
}

/** Marks the list as reviewed, and says first how much has changed since it was read. */
export function MarkDialog({ application, list: { asOf, isExported }, onMarked, onClose }: MarkDialogProps) {
  const { appId, name } = application;
  const write = useWriter();
  const newWriter = useNewWriter();
  const queryClient = useQueryClient();
  const { show } = useNotices();
  const [why, setWhy] = useState(noReason);
  const path = { appId };
  const preview = useQuery({
    queryKey: ['review', appId, asOf],
    queryFn: () => newWriter()('review-application', { path, query: { dryRun: 'true' }, body: { asOf } }),
  });
  const { mutate, isPending, error } = useAction({
    mutationFn: () => write('review-application', { path, body: { asOf, ...reasonBody(why) } }),
    onSuccess: ({ laterChanges: _, ...reviewed }) => {
      queryClient.setQueryData(queryKeys.application(appId), reviewed);
      const { reviewDueAt } = reviewed;
      const next = reviewDueAt === null ? '' : ` The next review is due ${localTimeText(reviewDueAt)}.`;
      show({ id: `review-${appId}`, type: 'success', content: `Marked ${name} as reviewed.${next}`, seconds: 10 });
      onMarked();
    },
  });
  const later = preview.data?.laterChanges ?? 0;
  return (
    <FormDialog
      title={`Mark ${name} as reviewed`}
      verb="Mark as reviewed"
      isPending={isPending}
      error={error ?? preview.error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Box>
        The history records that you reviewed who has access to {name}, by the list that was{' '}
        {isExported ? 'exported on' : 'read on'} <LocalTime at={asOf} withSeconds />.
      </Box>
      {later > 0 && (
        <Alert type="warning">
          {countOf(later, 'change')}
          {later >= maxLaterChanges && ' or more'} of access and roles came after that. They are not part of this
          review: the record says how many there were, and they belong to the next one.
        </Alert>
      )}
      <ReasonFields value={why} onChange={setWhy} isRequired={false} />
    </FormDialog>
  );
}

export interface ExpectDialogProps {
  readonly application: ApplicationView;
  readonly onClose: () => void;
}

/** Sets how often the access of an application is to be reviewed; an empty field means never. */
export function ExpectDialog({ application, onClose }: ExpectDialogProps) {
  const { name, reviewEveryDays } = application;
  const [text, setText] = useState(String(reviewEveryDays ?? ''));
  const { mutate, isPending, error } = useApplicationUpdate(application, onClose);
  return (
    <FormDialog
      title={`Expect reviews of ${name}`}
      verb="Save"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ reviewEveryDays: text.trim() === '' ? null : Number(text) })}
      onClose={onClose}
    >
      <Field
        label="Days between reviews"
        pointer="#/reviewEveryDays"
        description="The next review is due this number of days after the last one, or after the application was created."
        constraintText={`1–${maxReviewEveryDays.toLocaleString('en')}, or empty if no reviews are expected`}
      >
        <Input value={text} inputMode="numeric" onChange={({ detail }) => setText(detail.value)} />
      </Field>
    </FormDialog>
  );
}
