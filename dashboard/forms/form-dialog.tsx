import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type ReactNode, useId } from 'react';
import { ProblemAlert } from '../lists/problem-alert.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** What the button does, such as `Create user`. */
  readonly verb: string;
  readonly isPending: boolean;
  /** What the service still does after it accepted the form; until it is done, the dialog stays open. */
  readonly waiting?: string | undefined;
  readonly error?: Error | null;
  /** Whether the form cannot be sent yet. */
  readonly blocked?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A form in a dialog: Enter submits, Escape closes. The service validates the input. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, isPending, waiting, error, blocked = false, onSubmit, onClose, children } = props;
  const form = useId();
  const isWaiting = waiting !== undefined;
  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Close"
      onDismiss={() => !isWaiting && onClose()}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" disabled={isWaiting} onClick={onClose}>
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
            {isWaiting && (
              <div role="status">
                <StatusIndicator type="in-progress">{waiting}</StatusIndicator>
              </div>
            )}
            <ProblemAlert error={error} />
          </SpaceBetween>
        </Form>
      </form>
    </Modal>
  );
}
