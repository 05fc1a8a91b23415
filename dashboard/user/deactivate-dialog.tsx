import Alert from '@cloudscape-design/components/alert';
import { useState } from 'react';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ReasonField } from '../forms/reason-field.tsx';

export interface DeactivateDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
  readonly onSubmit: (reason: string | null) => void;
}

/** Warns before the widest switch is turned off, and asks why. */
export default function DeactivateDialog({ userId, onClose, onSubmit }: DeactivateDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={`Make ${userId} inactive`}
      verb="Make inactive"
      pending={false}
      onSubmit={() => onSubmit(reason.trim() || null)}
      onClose={onClose}
    >
      <Alert type="warning">
        This covers every application, at once. To keep the user out of one, use its own switch.
      </Alert>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
