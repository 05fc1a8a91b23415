import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { Copyable } from '../forms/copyable.tsx';
import { useLeaveWarning } from '../forms/use-kept-input.ts';
import type { KeyOwner } from '../keys/use-key-writes.ts';
import { TryPanel } from './try-panel.tsx';

export interface SecretDialogProps {
  readonly owner: KeyOwner;
  readonly issued: IssuedKeyView<string>;
  readonly onClose: () => void;
}

/** Shows a new key's secret, once. Until the secret is copied, closing the dialog or going Back asks for confirmation. */
export function SecretDialog({ owner, issued, onClose }: SecretDialogProps) {
  const { keyId, secret, replaces } = issued;
  const isOfApplication = 'appId' in owner;
  const word = isOfApplication ? 'secret' : 'token';
  const { isCopied, hasFailed, copy, noteCopied } = useCopied(secret);
  const [isAsking, ask] = useState(false);
  const navigation = useBlocker(!isCopied);
  const isLeaving = navigation.state === 'blocked';
  const close = () => (isCopied ? onClose() : ask(true));
  const stay = () => {
    ask(false);
    navigation.reset?.();
  };
  const leave = () => {
    onClose();
    navigation.proceed?.();
  };
  const copyAndClose = async () => {
    if (await copy()) onClose();
  };
  return (
    <Modal
      visible
      size="large"
      header={isOfApplication ? 'Your new API key' : 'Your new token'}
      closeAriaLabel="Close"
      onDismiss={({ detail }) => detail.reason !== 'overlay' && close()}
      footer={
        <SpaceBetween size="s">
          {(isAsking || isLeaving) && !isCopied && (
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
          It can't be retrieved later. {storeHint(owner)}
        </Alert>
        {replaces !== null && (
          <Box>
            It replaces <span className="break">{replaces}</span>.
          </Box>
        )}
        <Copyable label="Key ID" text={keyId} />
        <Copyable label={isOfApplication ? 'Secret' : 'Token'} text={secret} onCopied={noteCopied} />
        {isOfApplication && <TryPanel issued={issued} />}
      </SpaceBetween>
    </Modal>
  );
}

function storeHint(owner: KeyOwner): string {
  if ('appId' in owner) return 'Store it where the application reads its secrets.';
  return owner.kind === 'scim' ? 'Enter it in the directory.' : 'Store it where the gateway reads its secrets.';
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
