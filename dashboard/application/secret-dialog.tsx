import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { TryPanel } from './try-panel.tsx';

export interface SecretDialogProps {
  readonly issued: IssuedKeyView;
  readonly onClose: () => void;
}

/** Shows a new key's secret, once. A click outside does not close the dialog. */
export function SecretDialog({ issued, onClose }: SecretDialogProps) {
  const { keyId, secret } = issued;
  return (
    <Modal
      visible
      size="large"
      header="Your new API key"
      closeAriaLabel="Close"
      onDismiss={({ detail }) => detail.reason !== 'overlay' && onClose()}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            I have saved the secret
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning" header="This secret is shown only once">
          It cannot be retrieved later. Store it where the application reads its secrets.
        </Alert>
        <Copyable label="Key id" text={keyId} />
        <Copyable label="Secret" text={secret} />
        <TryPanel issued={issued} />
      </SpaceBetween>
    </Modal>
  );
}

function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <FormField label={label}>
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        textToDisplay={text}
        copyButtonAriaLabel={`Copy the ${label.toLowerCase()}`}
        copySuccessText="Copied"
        copyErrorText="Copying failed. Select the text instead."
      />
    </FormField>
  );
}
