import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLeaving } from '../shell/browser-history.tsx';
import { Copyable } from './copyable.tsx';
import { useLeaveWarning } from './use-kept-input.ts';

export interface OnceDialogProps {
  readonly title: string;
  readonly word: 'secret' | 'token';
  readonly secret: string;
  /** What to do with it. */
  readonly hint: string;
  /** Shown above and below the secret. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  readonly onClose: () => void;
}

/** Shows a secret, once. Until it is copied, closing the dialog or going Back asks for confirmation. */
export function OnceDialog({ title, word, secret, hint, above, below, onClose }: OnceDialogProps) {
  const { isCopied, hasFailed, copy, noteCopied } = useCopied(secret);
  const [isAsking, ask] = useState(false);
  const leaving = useLeaving(!isCopied);
  const close = () => (isCopied ? onClose() : ask(true));
  const stay = () => {
    ask(false);
    leaving.stay();
  };
  const leave = () => {
    onClose();
    leaving.leave();
  };
  const copyAndClose = async () => {
    if (!(await copy())) return;
    // Whoever closes it may go to another page, which is asked about until it is known that the secret was copied.
    flushSync(noteCopied);
    onClose();
  };
  return (
    <Modal
      visible
      size="large"
      header={title}
      closeAriaLabel="Close"
      onDismiss={({ detail }) => detail.reason !== 'overlay' && close()}
      footer={
        <SpaceBetween size="s">
          {(isAsking || leaving.isAsked) && !isCopied && (
            <LeaveQuestion word={word} failed={hasFailed} onLeave={leave} onStay={stay} />
          )}
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant={isCopied ? 'primary' : 'link'} onClick={close}>
                Close
              </Button>
              {!isCopied && (
                <Button variant="primary" onClick={() => void copyAndClose()}>
                  Copy {word} and close
                </Button>
              )}
            </SpaceBetween>
          </Box>
        </SpaceBetween>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning" header={`This ${word} is shown only once`}>
          It can't be retrieved later. {hint}
        </Alert>
        {above}
        <Copyable label={word === 'secret' ? 'Secret' : 'Token'} text={secret} onCopied={noteCopied} />
        {below}
      </SpaceBetween>
    </Modal>
  );
}

/** Whether the secret was copied, by a button or as selected text. Until then, closing the tab asks for confirmation too. */
function useCopied(secret: string) {
  const [isCopied, setCopied] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const noteCopied = () => setCopied(true);
  useEffect(() => {
    if (isCopied) return;
    const onCopy = () => String(getSelection()).includes(secret) && setCopied(true);
    document.addEventListener('copy', onCopy);
    return () => document.removeEventListener('copy', onCopy);
  }, [isCopied, secret]);
  useLeaveWarning(!isCopied);
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => true,
      () => {
        setFailed(true);
        return false;
      },
    );
  return { isCopied, hasFailed, copy, noteCopied };
}

interface LeaveQuestionProps {
  readonly word: 'secret' | 'token';
  readonly failed: boolean;
  readonly onLeave: () => void;
  readonly onStay: () => void;
}

function LeaveQuestion({ word, failed, onLeave, onStay }: LeaveQuestionProps) {
  return (
    <div role="alert">
      <Alert
        type="error"
        header={`The ${word} was not copied`}
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={onStay}>Back to the {word}</Button>
            <Button onClick={onLeave}>Close without copying</Button>
          </SpaceBetween>
        }
      >
        {failed ? `The browser did not allow copying. Select the ${word} and copy it.` : "It can't be shown again."}
      </Alert>
    </div>
  );
}
