import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useId } from 'react';
import { ProblemAlert } from '../lists/problem-alert.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** What the button does, such as `Create user`. */
  readonly verb: string;
  readonly isPending: boolean;
  readonly error?: Error | null;
  /** Whether the form cannot be sent yet. */
  readonly blocked?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A form in a dialog: Enter submits, Escape closes. The service validates the input. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, isPending, error, blocked = false, onSubmit, onClose, children } = props;
  const form = useId();
  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" form={form} formAction="submit" loading={isPending} disabled={blocked}>
              {verb}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!blocked && !isPending) onSubmit();
        }}
      >
        <Form>
          <SpaceBetween size="m">
            {children}
            <ProblemAlert error={error} />
          </SpaceBetween>
        </Form>
      </form>
    </Modal>
  );
}
