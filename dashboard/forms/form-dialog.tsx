import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react';
import { hasCode } from '../api/problem-error.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { deletes } from './destructive-style.ts';
import { FormErrors, useFormErrors } from './field.tsx';
import { LeaveQuestion, RestoredNote } from './leave-question.tsx';
import { useKeptInput } from './use-kept-input.ts';

export interface FormDialogProps {
  readonly title: string;
  /** The label of the button, such as `Create user`. */
  readonly verb: string;
  readonly isPending: boolean;
  /** Why the request can be slow. After a second it is shown, and the dialog can no longer be closed. */
  readonly waitsFor?: string | undefined;
  readonly error?: Error | null;
  /** What has to be entered first, as a sentence beside the button, which is disabled until then. Default: nothing. */
  readonly missing?: string | undefined;
  /** Whether the button deletes something: then it is red. Default: no. */
  readonly isDestructive?: boolean;
  /** Default: medium. */
  readonly size?: 'medium' | 'large';
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/**
 * A form in a dialog: Enter submits, Escape closes. The focus starts in the first field, and moves to the first invalid field
 * after an error. Input is kept until the request succeeds: a click outside does not close a dialog with input, and Escape and
 * Back ask first.
 */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    verb,
    isPending,
    waitsFor,
    error = null,
    missing,
    isDestructive = false,
    size,
    onSubmit,
    onClose,
    children,
  } = props;
  const form = useId();
  const isWaiting = useIsSlow(isPending) && waitsFor !== undefined;
  const { context, rest } = useFormErrors(error);
  const kept = useKeptInput({ name: title, isPending });
  const { within: fields, isAtRisk } = kept;
  useStartingFocus(fields, error);
  const [isAsking, ask] = useState(false);
  const dismiss = (isOutside: boolean) => {
    if (isWaiting) return;
    // The click has taken the focus out of the dialog, where Escape would no longer reach it.
    if (isOutside && isAtRisk) kept.refocus();
    else if (isAtRisk) ask(true);
    else onClose();
  };
  const stay = () => {
    ask(false);
    kept.stay();
  };
  const leave = () => {
    onClose();
    kept.leave();
  };
  return (
    <Modal
      visible
      {...(size !== undefined && { size })}
      header={title}
      closeAriaLabel="Close"
      onDismiss={({ detail }) => dismiss(detail.reason === 'overlay')}
      footer={
        <SpaceBetween size="s">
          {isAtRisk && (isAsking || kept.isLeaving) && <LeaveQuestion onStay={stay} onLeave={leave} />}
          <div className="dialog-end">
            <Box color="text-body-secondary">
              <span role="status">{missing}</span>
            </Box>
            <Button variant="link" disabled={isWaiting} onClick={onClose}>
              Cancel
            </Button>
            <Button
              variant="primary"
              form={form}
              formAction="submit"
              loading={isPending}
              disabled={missing !== undefined}
              {...(isDestructive && { style: deletes })}
            >
              {verb}
            </Button>
          </div>
        </SpaceBetween>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined && !isPending) onSubmit();
        }}
      >
        <Form>
          <SpaceBetween size="m">
            {kept.wasRestored && <RestoredNote />}
            <div ref={fields} onInput={kept.note}>
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

/** For a form that sends the latest version it knows: a retry overwrites the other change. */
function ChangedMeanwhile({ verb }: { readonly verb: string }) {
  return (
    <div role="alert">
      <Alert type="warning" header="Changed by someone else">
        Your change was not saved, but your input is still here. Select “{verb}” again to overwrite the other change.
      </Alert>
    </div>
  );
}

/** Moves the focus to the first field, and with each error to the first invalid one. */
function useStartingFocus(fields: RefObject<HTMLDivElement | null>, error: Error | null): void {
  // The dialog itself moves the focus to its first button, in an effect after this one.
  useEffect(() => queueMicrotask(() => focusIn(fields.current, fieldSelector)), [fields]);
  useEffect(() => {
    if (error !== null) focusIn(fields.current, '[aria-invalid="true"]');
  }, [fields, error]);
}

function focusIn(fields: HTMLElement | null, selector: string): void {
  fields?.querySelector<HTMLElement>(selector)?.focus();
}

/** In a radio group, the selected button. */
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
