import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { useLeaveWarning } from '../forms/use-kept-input.ts';
import { TryPanel } from './try-panel.tsx';

export interface SecretDialogProps {
  readonly issued: IssuedKeyView;
  readonly onClose: () => void;
}

/** Shows a new key's secret, once. Until the secret is copied, closing the dialog or going Back asks for confirmation. */
export function SecretDialog({ issued, onClose }: SecretDialogProps) {
  const { keyId, secret, replaces } = issued;
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
      header="Your new API key"
      closeAriaLabel="Close"
      onDismiss={({ detail }) => detail.reason !== 'overlay' && close()}
      footer={
        <SpaceBetween size="s">
          {(isAsking || isLeaving) && !isCopied && <LeaveQuestion failed={hasFailed} onLeave={leave} onStay={stay} />}
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant={isCopied ? 'primary' : 'link'} onClick={close}>
                Close
              </Button>
              {!isCopied && (
                <Button variant="primary" onClick={() => void copyAndClose()}>
                  Copy secret and close
                </Button>
              )}
            </SpaceBetween>
          </Box>
        </SpaceBetween>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning" header="This secret is shown only once">
          It can't be retrieved later. Store it where the application reads its secrets.
        </Alert>
        {replaces !== null && (
          <Box>
            It replaces <span className="break">{replaces}</span>.
          </Box>
        )}
        <Copyable label="Key ID" text={keyId} />
        <Copyable label="Secret" text={secret} onCopied={noteCopied} />
        <TryPanel issued={issued} />
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
  readonly failed: boolean;
  readonly onLeave: () => void;
  readonly onStay: () => void;
}

function LeaveQuestion({ failed, onLeave, onStay }: LeaveQuestionProps) {
  return (
    <div role="alert">
      <Alert
        type="error"
        header="The secret was not copied"
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={onStay}>Back to the secret</Button>
            <Button onClick={onLeave}>Close without copying</Button>
          </SpaceBetween>
        }
      >
        {failed ? 'The browser did not allow copying. Select the secret and copy it.' : "It can't be shown again."}
      </Alert>
    </div>
  );
}

interface CopyableProps {
  readonly label: string;
  readonly text: string;
  readonly onCopied?: () => void;
}

function Copyable({ label, text, onCopied }: CopyableProps) {
  return (
    <FormField label={label}>
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        textToDisplay={text}
        copyButtonAriaLabel={`Copy ${label}`}
        copySuccessText="Copied"
        copyErrorText="Copying failed. Select the text instead."
        onCopySuccess={() => onCopied?.()}
      />
    </FormField>
  );
}
