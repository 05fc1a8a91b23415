import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '#dashboard/api/use-action.ts';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { OverlapField, usualOverlap } from '#dashboard/forms/overlap-field.tsx';
import { TypedConfirmation } from '#dashboard/forms/typed-confirmation.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
import { applicationPath } from '#dashboard/shell/page-paths.ts';
import type { IssuedWebhookView, WebhookView } from '../contract/webhook.ts';
import { useQueuedNotice } from './queued-notice.ts';
import { EditWebhookDialog } from './webhook-dialog.tsx';
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx';

export interface WebhookActionsProps {
  readonly appId: string;
  readonly webhook: WebhookView;
  /** Reloads the webhook and its attempts. */
  readonly reload: () => void;
}

/** Actions on a webhook. A secret is kept only in the dialog that shows it. */
export function WebhookActions({ appId, webhook, reload }: WebhookActionsProps) {
  const write = useWriter();
  const navigate = useNavigate();
  const notify = useQueuedNotice();
  const [doing, setDoing] = useState<'edit' | 'rotate' | 'delete' | IssuedWebhookView>();
  const { webhookId, enabled, format } = webhook;
  const path = { appId, webhookId };
  const close = () => setDoing(undefined);
  const test = useAction({
    isRepeatable: true,
    mutationFn: () => write('test-webhook', { path }),
    onSuccess: ({ queued }) => {
      notify(queued, 'A test event is sent.');
      reload();
    },
  });
  const pause = useAction({
    isRepeatable: true,
    mutationFn: () => write('update-webhook', { path, body: { enabled: !enabled } }),
    onSuccess: reload,
  });
  const remove = async () => {
    await write('delete-webhook', { path });
    navigate(`${applicationPath(appId)}?tab=webhooks`);
  };
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs">
        <ActionButton operation="test-webhook" appId={appId} loading={test.isPending} onClick={() => test.mutate()}>
          Send test event
        </ActionButton>
        <ActionButton operation="update-webhook" appId={appId} loading={pause.isPending} onClick={() => pause.mutate()}>
          {enabled ? 'Pause' : 'Resume'}
        </ActionButton>
        <ActionButton operation="update-webhook" appId={appId} onClick={() => setDoing('edit')}>
          Edit
        </ActionButton>
        {format === 'standard' && (
          <ActionButton operation="rotate-webhook-secret" appId={appId} onClick={() => setDoing('rotate')}>
            Rotate secret
          </ActionButton>
        )}
        <ActionButton operation="delete-webhook" appId={appId} isDestructive onClick={() => setDoing('delete')}>
          Delete
        </ActionButton>
      </SpaceBetween>
      <ProblemAlert error={test.error ?? pause.error} />
      {doing === 'edit' && (
        <EditWebhookDialog
          appId={appId}
          webhook={webhook}
          onClose={close}
          onSaved={() => {
            close();
            reload();
          }}
        />
      )}
      {doing === 'rotate' && (
        <RotateSecretDialog
          path={path}
          onClose={close}
          onRotated={(issued) => {
            setDoing(issued);
            reload();
          }}
        />
      )}
      {typeof doing === 'object' && <WebhookSecretDialog issued={doing} onClose={close} />}
      {doing === 'delete' && (
        <TypedConfirmation
          title={`Delete ${webhookId}`}
          verb="Delete webhook"
          wanted={webhookId}
          label={`Type ${webhookId} to confirm`}
          warning="Nothing is sent to this URL any more, and changes that wait for a retry are not delivered. This can't be undone. Its history stays."
          act={remove}
          onClose={close}
        />
      )}
    </SpaceBetween>
  );
}

interface RotateSecretDialogProps {
  readonly path: { readonly appId: string; readonly webhookId: string };
  readonly onClose: () => void;
  readonly onRotated: (issued: IssuedWebhookView) => void;
}

function RotateSecretDialog({ path, onClose, onRotated }: RotateSecretDialogProps) {
  const write = useWriter();
  const [overlap, setOverlap] = useState(usualOverlap);
  const { mutate, isPending, error } = useAction({
    mutationFn: () => write('rotate-webhook-secret', { path, body: { overlap } }),
    onSuccess: onRotated,
  });
  return (
    <FormDialog
      title="Rotate secret"
      verb="Rotate secret"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Box>
        You get a new secret. During the overlap, each delivery is signed with both, so the receiver can switch.
      </Box>
      <OverlapField overlap={overlap} none="None: sign only with the new secret" onChange={setOverlap} />
    </FormDialog>
  );
}
