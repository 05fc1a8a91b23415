import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import type { SetAccessBody } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { EndField, momentOf, noEnd } from '../forms/end-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ReasonField } from '../forms/reason-field.tsx';

export interface DisableDialogProps {
  readonly access: UserAccessView;
  readonly onClose: () => void;
  readonly onSubmit: (setting: SetAccessBody) => void;
}

/** Asks why and until when before somebody is kept out of an application. */
export default function DisableDialog({ access, onClose, onSubmit }: DisableDialogProps) {
  const [reason, setReason] = useState('');
  const [end, setEnd] = useState(noEnd);
  const send = () => {
    const until = momentOf(end, Date.now());
    if (until !== undefined) onSubmit({ status: 'disabled', reason: reason.trim() || null, until });
  };
  return (
    <FormDialog
      title={`Turn off ${access.appName}`}
      verb="Turn off"
      isPending={false}
      blocked={momentOf(end, 0) === undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <Box>
        {access.userId} can then no longer enter {access.appName}. The roles stay, and no other application is touched.
      </Box>
      <ReasonField value={reason} onChange={setReason} />
      <EndField label="Turn on again by itself" end={end} onChange={setEnd} />
    </FormDialog>
  );
}
