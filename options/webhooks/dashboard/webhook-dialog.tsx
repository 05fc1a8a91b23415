import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { Field } from '#dashboard/forms/field.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { IdField } from '#dashboard/forms/name-and-id.tsx';
import { SetupField } from '#dashboard/forms/setup-field.tsx';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
import type { IssuedWebhookView, WebhookEvent, WebhookView } from '../contract/webhook.ts';
import type { WebhookFormat } from '../contract/webhook-formats.ts';
import { EventsField } from './events-field.tsx';
import { freeWebhookId, type WebhookSetup, webhookSetups } from './webhook-setups.ts';

interface DialogProps {
  readonly appId: string;
  readonly onClose: () => void;
}

export interface CreateWebhookDialogProps extends DialogProps {
  /** The IDs of the application's webhooks. */
  readonly taken: readonly string[];
  readonly onCreated: (issued: IssuedWebhookView) => void;
}

/** Creates a webhook: first what receives the changes, then only what that needs. Its ID never changes. */
export function CreateWebhookDialog({ appId, taken, onClose, onCreated }: CreateWebhookDialogProps) {
  const write = useWriter();
  const [setup, setSetup] = useState<WebhookSetup>();
  const [webhookId, setId] = useState('');
  const [settings, set] = useState<Settings>({ url: '', events: null, format: 'standard' });
  const { mutate, isPending, error } = useAction({
    mutationFn: () => write('create-webhook', { path: { appId }, body: { webhookId, ...bodyOf(settings) } }),
    onSuccess: onCreated,
  });
  const choose = (chosen: WebhookSetup) => {
    setSetup(chosen);
    // What somebody has typed stays.
    setId((typed) => (typed === (setup ? freeWebhookId(setup, taken) : '') ? freeWebhookId(chosen, taken) : typed));
    set(({ url }) => ({ url, events: chosen.events, format: chosen.format }));
  };
  return (
    <FormDialog
      title="Create webhook"
      verb="Create webhook"
      missing={setup ? missingIn(settings) : 'Choose what receives the changes.'}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <SetupField
        label="What receives the changes?"
        pointer="#/format"
        setups={webhookSetups}
        setup={setup}
        onChoose={choose}
      />
      {setup && <UrlField settings={settings} onChange={set} />}
      {setup?.format === 'standard' && (
        <EventsField events={settings.events} onChange={(events) => set({ ...settings, events })} />
      )}
      {setup && (
        <IdField
          label="Webhook ID"
          description="Names it here and in the history. It can't be changed later."
          pointer="#/webhookId"
          value={webhookId}
          onChange={setId}
        />
      )}
    </FormDialog>
  );
}

export interface EditWebhookDialogProps extends DialogProps {
  readonly webhook: WebhookView;
  readonly onSaved: () => void;
}

/** Changes where a webhook leads, what it receives, and the format. */
export function EditWebhookDialog({ appId, webhook, onClose, onSaved }: EditWebhookDialogProps) {
  const write = useWriter();
  const { webhookId, version, url, events, format } = webhook;
  const [settings, set] = useState<Settings>({ url, events, format });
  const { mutate, isPending, error } = useAction({
    mutationFn: () => write('update-webhook', { path: { appId, webhookId }, ifMatch: version, body: bodyOf(settings) }),
    onSuccess: onSaved,
  });
  return (
    <FormDialog
      title={`Edit ${webhookId}`}
      verb="Save"
      missing={missingIn(settings)}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <UrlField settings={settings} onChange={set} />
      <EventsField events={settings.events} onChange={(chosen) => set({ ...settings, events: chosen })} />
      <Field label="Format" pointer="#/format">
        <RadioGroup
          value={settings.format}
          items={formats}
          onChange={({ detail }) => set({ ...settings, format: detail.value === 'set' ? 'set' : 'standard' })}
        />
      </Field>
    </FormDialog>
  );
}

interface Settings {
  readonly url: string;
  readonly events: readonly WebhookEvent[] | null;
  readonly format: WebhookFormat;
}

function bodyOf({ url, events, format }: Settings) {
  return { url, events: events && [...events], format };
}

/** What is missing before the settings can be saved; undefined if nothing. */
function missingIn({ url, events }: Settings): string | undefined {
  if (url === '') return 'Enter the URL.';
  return events?.length === 0 ? 'Choose at least one event.' : undefined;
}

interface UrlFieldProps {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

function UrlField({ settings, onChange }: UrlFieldProps) {
  return (
    <Field
      label="URL"
      description="Where the service posts events. It must be reachable from the internet, without redirects."
      constraintText="https, with a host name, on port 443 or above 1023"
      pointer="#/url"
    >
      <Input
        value={settings.url}
        inputMode="url"
        spellcheck={false}
        placeholder="https://app.example.com/hooks/access"
        onChange={({ detail }) => onChange({ ...settings, url: detail.value.trim() })}
      />
    </Field>
  );
}

const formats = [
  {
    value: 'standard',
    label: 'Standard Webhooks',
    description: 'JSON with the whole change, signed with a secret that you get once.',
  },
  {
    value: 'set',
    label: 'Security Event Tokens',
    description: 'JWTs that end sessions and accounts (RFC 8417), verified with the published keys of the service.',
  },
];
