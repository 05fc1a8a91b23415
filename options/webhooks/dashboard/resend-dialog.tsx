import Box from '@cloudscape-design/components/box';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { Field } from '#dashboard/forms/field.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { TypedTimeFields } from '#dashboard/forms/typed-time-fields.tsx';
import { useSentTime } from '#dashboard/forms/use-end.ts';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
import { timestampOf } from '#shared/contract/typed-time.ts';
import { useQueuedNotice } from './queued-notice.ts';

const hour = 3_600_000;

const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last 7 days' },
  { value: 'at', label: 'Since a specific time' },
] as const;

export interface ResendDialogProps {
  readonly appId: string;
  readonly webhookId: string;
  readonly onClose: () => void;
}

/** Sends all changes since a time again, in their order. */
export function ResendDialog({ appId, webhookId, onClose }: ResendDialogProps) {
  const write = useWriter();
  const notify = useQueuedNotice();
  const [span, setSpan] = useState('1');
  const [typed, setTyped] = useState({ day: '', time: '00:00' });
  const action = useAction({
    mutationFn: (since: string) => write('resend-webhook', { path: { appId, webhookId }, body: { since } }),
    onSuccess: ({ queued }) => {
      notify(queued, 'All changes are sent again.');
      onClose();
    },
  });
  const { mutate, isPending, error } = action;
  const at = timestampOf(typed);
  const since = useSentTime(span === 'at' ? at : span, action, (chosen, now) =>
    span === 'at' ? chosen : new Date(now - Number(span) * hour).toISOString(),
  );
  return (
    <FormDialog
      title="Send all again"
      verb="Send again"
      missing={span === 'at' && at === undefined ? 'Enter a date and a time.' : undefined}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        const time = since();
        if (time !== undefined) mutate(time);
      }}
      onClose={onClose}
    >
      <Box>
        Delivery starts over at the time that you choose, in order. The receiver gets changes again that it already has;
        with a time after the last delivery, those in between are skipped.
      </Box>
      <Field label="Changes of" pointer={span === 'at' ? '' : '#/since'}>
        <RadioGroup value={span} items={spans} onChange={({ detail }) => setSpan(detail.value)} />
      </Field>
      {span === 'at' && <TypedTimeFields typed={typed} pointer="#/since" onChange={setTyped} />}
    </FormDialog>
  );
}
