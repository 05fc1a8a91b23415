import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import { FormDialog } from '../forms/form-dialog.tsx';
import { missingReason, noReason, type Reason, ReasonFields } from '../forms/reason-fields.tsx';

export interface UndoReasonDialogProps {
  /** What is undone, as a sentence. */
  readonly summary: string;
  readonly isPending: boolean;
  readonly onSubmit: (why: Reason) => void;
  readonly onClose: () => void;
}

/** Asks why a change is undone, where a reason is required. */
export default function UndoReasonDialog({ summary, isPending, onSubmit, onClose }: UndoReasonDialogProps) {
  const [why, setWhy] = useState(noReason);
  return (
    <FormDialog
      title="Undo a change"
      verb="Undo change"
      isPending={isPending}
      missing={missingReason(why, true)}
      onSubmit={() => onSubmit(why)}
      onClose={onClose}
    >
      <Box>This undoes: {summary}</Box>
      <ReasonFields value={why} onChange={setWhy} isRequired />
    </FormDialog>
  );
}
