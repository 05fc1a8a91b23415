import Checkbox from '@cloudscape-design/components/checkbox';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectionView } from '#shared/contract/connection.ts';
import { optionOfApplication } from '../forms/choice-fields.tsx';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { IdField, NameField } from '../forms/name-and-id.tsx';
import { useAllApplications } from '../forms/use-all-applications.ts';
import { useWriter } from '../session/dashboard-context.ts';

export interface ConnectionDialogProps {
  /** The connection to change. Default: a new one is created. */
  readonly connection?: ConnectionView;
  readonly onClose: () => void;
  readonly onSaved: (connectionId: string) => void;
}

/** Creates or changes a connection. Its ID and its kind never change. */
export function ConnectionDialog({ connection, onClose, onSaved }: ConnectionDialogProps) {
  const write = useWriter();
  const [name, setName] = useState(connection?.name ?? '');
  const [id, setId] = useState(connection?.connectionId ?? '');
  const [applications, setApplications] = useState(connection?.applications ?? []);
  const [identity, setIdentity] = useState(() => identityOf(connection));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const body = { name, applications, ...settingsOf(identity) };
      return connection === undefined
        ? write('create-connection', { body: { ...body, connectionId: id, kind: 'evaluate' } })
        : write('update-connection', {
            path: { connectionId: connection.connectionId },
            ifMatch: connection.version,
            body,
          });
    },
    onSuccess: ({ connectionId }) => onSaved(connectionId),
  });
  const all = useAllApplications();
  const options = (all.data ?? []).map(optionOfApplication);
  const verb = connection === undefined ? 'Create connection' : 'Save';
  return (
    <FormDialog
      title={connection === undefined ? 'Create connection' : `Edit ${connection.name}`}
      verb={verb}
      isIncomplete={applications.length === 0}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
      {connection === undefined && (
        <IdField
          label="Connection ID"
          description="Part of its tokens. It can't be changed or reused later."
          pointer="#/connectionId"
          value={id}
          onChange={setId}
        />
      )}
      <Field label="Applications" description="What it may ask about." pointer="#/applications">
        <Multiselect
          placeholder="Choose applications"
          options={options}
          selectedOptions={applications.map(
            (appId) => options.find(({ value }) => value === appId) ?? { value: appId, label: appId },
          )}
          statusType={all.isFetching ? 'loading' : 'finished'}
          loadingText="Loading applications…"
          empty="No applications yet"
          filteringType={options.length > 10 ? 'auto' : 'none'}
          filteringAriaLabel="Filter applications"
          deselectAriaLabel={({ label = '' }) => `Remove ${label}`}
          onChange={({ detail }) => setApplications(detail.selectedOptions.map(({ value = '' }) => value))}
        />
      </Field>
      <Field
        label="Users of a proxy"
        description="Only for nginx, Caddy or Traefik: how their requests say who the user is."
        pointer="#/trustsUserHeader"
      >
        <RadioGroup
          value={identity.by}
          items={[
            { value: 'none', label: 'Not needed', description: 'AuthZEN names the user in each question.' },
            { value: 'token', label: 'By a token', description: 'A JWT that your identity provider has issued.' },
            { value: 'header', label: 'By the proxy', description: 'It authenticates users itself.' },
          ]}
          onChange={({ detail }) => setIdentity({ ...identity, by: detail.value as Identity['by'] })}
        />
      </Field>
      {identity.by === 'token' && (
        <SpaceBetween size="l">
          <Field
            label="Issuer"
            description="Exactly as in the tokens, such as https://login.example.com."
            pointer="#/issuer"
          >
            <Input
              value={identity.issuer}
              onChange={({ detail }) => setIdentity({ ...identity, issuer: detail.value.trim() })}
            />
          </Field>
          <Field label="Audience" description="What the tokens name as aud." pointer="#/audience">
            <Input
              value={identity.audience}
              onChange={({ detail }) => setIdentity({ ...identity, audience: detail.value.trim() })}
            />
          </Field>
        </SpaceBetween>
      )}
      {identity.by === 'header' && (
        <Checkbox
          checked={identity.isOverwritten}
          description="Otherwise anyone could be anybody."
          onChange={({ detail }) => setIdentity({ ...identity, isOverwritten: detail.checked })}
        >
          The proxy sets X-Original-User in every request, whatever its caller sent
        </Checkbox>
      )}
    </FormDialog>
  );
}

/** How requests of a proxy say who the user is. */
interface Identity {
  readonly by: 'none' | 'token' | 'header';
  readonly issuer: string;
  readonly audience: string;
  readonly isOverwritten: boolean;
}

function identityOf({
  issuer = null,
  audience = null,
  trustsUserHeader = false,
}: Partial<ConnectionView> = {}): Identity {
  const by = issuer !== null ? 'token' : trustsUserHeader ? 'header' : 'none';
  return { by, issuer: issuer ?? '', audience: audience ?? '', isOverwritten: trustsUserHeader };
}

function settingsOf({ by, issuer, audience, isOverwritten }: Identity) {
  return by === 'token'
    ? { issuer, audience, trustsUserHeader: false }
    : { issuer: null, audience: null, trustsUserHeader: by === 'header' && isOverwritten };
}
