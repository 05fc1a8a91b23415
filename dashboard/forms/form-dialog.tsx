import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { ProblemAlert } from '../lists/problem-alert.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** What the button does, such as `Create user`. */
  readonly verb: string;
  readonly isPending: boolean;
  /** Why it can take long; shown after a second, and from then on the dialog stays open. */
  readonly waitsFor?: string | undefined;
  readonly error?: Error | null;
  /** Whether the form cannot be sent yet. */
  readonly blocked?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A form in a dialog: Enter submits, Escape closes. The service validates the input. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, isPending, waitsFor, error, blocked = false, onSubmit, onClose, children } = props;
  const form = useId();
  const isWaiting = useIsSlow(isPending) && waitsFor !== undefined;
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
                <StatusIndicator type="in-progress">{waitsFor}</StatusIndicator>
              </div>
            )}
            <ProblemAlert error={error} />
          </SpaceBetween>
        </Form>
      </form>
    </Modal>
  );
}

const slowMilliseconds = 1000;

/** Whether something has been pending for longer than a second. */
function useIsSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setSlow(true), slowMilliseconds);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isPending]);
  return isSlow;
}
