import Box from '@cloudscape-design/components/box';
import { OnceDialog } from '#dashboard/forms/once-dialog.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import type { IssuedWebhookView } from '../contract/webhook.ts';
import { ReceiverSetup } from './receiver-setup.tsx';

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
        <>
          <Box variant="h3">In the receiver</Box>
          <ReceiverSetup webhook={issued} />
        </>
      }
      onClose={onClose}
    />
  );
}
