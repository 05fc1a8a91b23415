import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { OnceDialog } from '#dashboard/forms/once-dialog.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import type { IssuedWebhookView } from '../contract/webhook.ts';
import { receiverSample } from './receiver-sample.ts';

export interface WebhookSecretDialogProps {
  readonly issued: IssuedWebhookView;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook, once, and how its receiver verifies deliveries with it. */
export function WebhookSecretDialog({ issued, onClose }: WebhookSecretDialogProps) {
  const { webhookId, secret, secrets } = issued;
  const until = secrets.find(({ expiresAt }) => expiresAt !== null)?.expiresAt ?? null;
  return (
    <OnceDialog
      title={`The secret of ${webhookId}`}
      word="secret"
      secret={secret}
      hint="Store it where the receiver reads its secrets."
      above={
        until !== null && (
          <Box>
            Until <LocalTime at={until} />, each delivery is signed with the old secret too.
          </Box>
        )
      }
      below={
        <ExpandableSection headerText="Verify deliveries in Node" headingTagOverride="h3">
          <SpaceBetween size="s">
            <FormField
              label="Receiver"
              description="Rejects what this service did not send. It needs the package standardwebhooks."
              stretch
            >
              <Textarea value={receiverSample} readOnly rows={16} spellcheck={false} />
            </FormField>
            <CopyToClipboard
              copyButtonText="Copy code"
              textToCopy={receiverSample}
              copySuccessText="Copied"
              copyErrorText="Copying failed. Select the text instead."
            />
          </SpaceBetween>
        </ExpandableSection>
      }
      onClose={onClose}
    />
  );
}
