import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import type { SetAccessBody } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { ExpiryField, expiryTimestamp, noExpiry } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ReasonField } from '../forms/reason-field.tsx';

export interface DisableDialogProps {
  readonly access: UserAccessView;
  readonly onClose: () => void;
  readonly onSubmit: (setting: SetAccessBody) => void;
}

/** Asks for a reason and an expiry before access to an application is turned off. */
export default function DisableDialog({ access, onClose, onSubmit }: DisableDialogProps) {
  const [reason, setReason] = useState('');
  const [expiry, setExpiry] = useState(noExpiry);
  const send = () => {
    const until = expiryTimestamp(expiry, Date.now());
    if (until !== undefined) onSubmit({ status: 'disabled', reason: reason.trim() || null, until });
  };
  return (
    <FormDialog
      title={`Turn off ${access.appName}`}
      verb="Turn off"
      isPending={false}
      blocked={expiryTimestamp(expiry, 0) === undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <Box>
        {access.userId} loses access to {access.appName}. Roles are kept, and other applications are not affected.
      </Box>
      <ReasonField value={reason} onChange={setReason} />
      <ExpiryField label="Turn on again automatically" expiry={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
