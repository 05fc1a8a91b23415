import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { optionOfApplication } from '#dashboard/forms/choice-fields.tsx';
import { Field } from '#dashboard/forms/field.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { IdField, NameField } from '#dashboard/forms/name-and-id.tsx';
import { useAllApplications } from '#dashboard/forms/use-all-applications.ts';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
import type { ConnectionKind } from '#shared/contract/operation.ts';
import type { ConnectionView } from '../contract/connection.ts';
import { DirectoryFields, directoryBody, directoryOf, isIncompleteDirectory } from './directory-fields.tsx';
import { GatewayFields, gatewayBody, identityOf } from './gateway-fields.tsx';
import { kindWords } from './kind-words.ts';

export interface ConnectionDialogProps {
  /** The connection to change. Default: a new one is created. */
  readonly connection?: ConnectionView;
  readonly onClose: () => void;
  readonly onSaved: (connectionId: string) => void;
}

/** Creates or changes a connection. Its ID, its kind and which attribute becomes the user ID never change. */
export function ConnectionDialog({ connection, onClose, onSaved }: ConnectionDialogProps) {
  const write = useWriter();
  const isNew = connection === undefined;
  const [name, setName] = useState(connection?.name ?? '');
  const [id, setId] = useState(connection?.connectionId ?? '');
  const [kind, setKind] = useState<ConnectionKind>(connection?.kind ?? 'evaluate');
  const [applications, setApplications] = useState(connection?.applications ?? []);
  const [identity, setIdentity] = useState(() => identityOf(connection));
  const [directory, setDirectory] = useState(() => directoryOf(connection));
  const isDirectory = kind === 'scim';
  const { mutate, isPending, error } = useAction({
    mutationFn: () => {
      const body = { name, applications, ...(isDirectory ? directoryBody(directory) : gatewayBody(identity)) };
      if (connection !== undefined) {
        const { connectionId, version: ifMatch } = connection;
        return write('update-connection', { path: { connectionId }, ifMatch, body });
      }
      const { userIdAttribute } = directory;
      return write('create-connection', {
        body: { ...body, connectionId: id, kind, ...(isDirectory && userIdAttribute && { userIdAttribute }) },
      });
    },
    onSuccess: ({ connectionId }) => onSaved(connectionId),
  });
  return (
    <FormDialog
      title={isNew ? 'Create connection' : `Edit ${connection.name}`}
      verb={isNew ? 'Create connection' : 'Save'}
      size={isDirectory ? 'large' : 'medium'}
      isIncomplete={isDirectory ? isIncompleteDirectory(directory) : applications.length === 0}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
      {isNew && (
        <IdField
          label="Connection ID"
          description="Part of its tokens. It can't be changed or reused later."
          pointer="#/connectionId"
          value={id}
          onChange={setId}
        />
      )}
      {isNew && (
        <Field label="Kind" description="It can't be changed later." pointer="#/kind">
          <RadioGroup
            value={kind}
            items={kindItems}
            onChange={({ detail }) => setKind(detail.value as ConnectionKind)}
          />
        </Field>
      )}
      <ApplicationsField
        description={isDirectory ? 'Whose roles its groups can assign.' : 'What it may ask about.'}
        chosen={applications}
        onChange={setApplications}
      />
      {isDirectory ? (
        <DirectoryFields directory={directory} applications={applications} isNew={isNew} onChange={setDirectory} />
      ) : (
        <GatewayFields identity={identity} onChange={setIdentity} />
      )}
    </FormDialog>
  );
}

const kindItems = (['evaluate', 'scim'] as const).map((value) => ({
  value,
  label: kindWords[value].name,
  description: kindWords[value].purpose,
}));

interface ApplicationsFieldProps {
  readonly description: string;
  readonly chosen: ConnectionView['applications'];
  readonly onChange: (applications: string[]) => void;
}

function ApplicationsField({ description, chosen, onChange }: ApplicationsFieldProps) {
  const all = useAllApplications();
  const options = (all.data ?? []).map(optionOfApplication);
  return (
    <Field label="Applications" description={description} pointer="#/applications">
      <Multiselect
        placeholder="Choose applications"
        options={options}
        selectedOptions={chosen.map(
          (appId) => options.find(({ value }) => value === appId) ?? { value: appId, label: appId },
        )}
        statusType={all.isFetching ? 'loading' : 'finished'}
        loadingText="Loading applications…"
        empty="No applications yet"
        filteringType={options.length > 10 ? 'auto' : 'none'}
        filteringAriaLabel="Filter applications"
        deselectAriaLabel={({ label = '' }) => `Remove ${label}`}
        onChange={({ detail }) => onChange(detail.selectedOptions.map(({ value = '' }) => value))}
      />
    </Field>
  );
}
