import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { hasCode } from '../api/problem-error.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { FormErrors, useFormErrors } from './field.tsx';

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

/**
 * A form in a dialog: Enter submits, Escape closes. It starts in its first field, and after a refusal in the first field that
 * is wrong. What was typed stays until the request has succeeded.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, isPending, waitsFor, error = null, blocked = false, onSubmit, onClose, children } = props;
  const form = useId();
  const isWaiting = useIsSlow(isPending) && waitsFor !== undefined;
  const { context, rest } = useFormErrors(error);
  const fields = useStartingFocus(error);
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
            <div ref={fields}>
              <FormErrors value={context}>
                <SpaceBetween size="m">{children}</SpaceBetween>
              </FormErrors>
            </div>
            {isWaiting && (
              <div role="status">
                <StatusIndicator type="in-progress">{waitsFor}</StatusIndicator>
              </div>
            )}
            {hasCode(rest, 'version_mismatch') ? <ChangedMeanwhile verb={verb} /> : <ProblemAlert error={rest} />}
          </SpaceBetween>
        </Form>
      </form>
    </Modal>
  );
}

/** For a form that sends the latest version it knows: repeated, it takes effect on top of the other change. */
function ChangedMeanwhile({ verb }: { readonly verb: string }) {
  return (
    <div role="alert">
      <Alert type="warning" header="Changed by someone else meanwhile">
        Nothing was saved, and what you entered is still here. “{verb}” once more replaces the other change.
      </Alert>
    </div>
  );
}

/** Moves the focus to the first field, and with each error to the first wrong one. */
function useStartingFocus(error: Error | null) {
  const fields = useRef<HTMLDivElement>(null);
  // The dialog itself moves the focus to its first button, in an effect after this one.
  useEffect(() => queueMicrotask(() => focusIn(fields.current, fieldSelector)), []);
  useEffect(() => {
    if (error !== null) focusIn(fields.current, '[aria-invalid="true"]');
  }, [error]);
  return fields;
}

function focusIn(fields: HTMLElement | null, selector: string): void {
  fields?.querySelector<HTMLElement>(selector)?.focus();
}

/** In a group of radio buttons the chosen one. */
const fieldSelector = 'input:not([type=radio]):not(:disabled), input:checked, textarea, button[aria-haspopup]';

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
