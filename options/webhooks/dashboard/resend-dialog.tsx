import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { DayPicker } from '#dashboard/forms/day-picker.tsx';
import { expiryTimestamp, noExpiry } from '#dashboard/forms/expiry-field.tsx';
import { Field } from '#dashboard/forms/field.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { useSentTime } from '#dashboard/forms/use-end.ts';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
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
  const [day, setDay] = useState('');
  const [clock, setClock] = useState('00:00');
  const action = useAction({
    mutationFn: (since: string) => write('resend-webhook', { path: { appId, webhookId }, body: { since } }),
    onSuccess: ({ queued }) => {
      notify(queued, 'All changes are sent again.');
      onClose();
    },
  });
  const { mutate, isPending, error } = action;
  const at = expiryTimestamp({ ...noExpiry, choice: 'at', day, time: clock }, 0) ?? undefined;
  const since = useSentTime(span === 'at' ? at : span, action, (chosen, now) =>
    span === 'at' ? chosen : new Date(now - Number(span) * hour).toISOString(),
  );
  return (
    <FormDialog
      title="Send all again"
      verb="Send again"
      isIncomplete={span === 'at' && at === undefined}
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
      {span === 'at' && (
        <SpaceBetween size="m">
          <Field label="Date" pointer="#/since">
            <DayPicker day={day} onChange={setDay} />
          </Field>
          <FormField label="Time" description="Your time zone">
            <TimeInput
              value={clock}
              format="hh:mm"
              placeholder="hh:mm"
              onChange={({ detail }) => setClock(detail.value)}
            />
          </FormField>
        </SpaceBetween>
      )}
    </FormDialog>
  );
}
