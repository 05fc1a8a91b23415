import Multiselect from '@cloudscape-design/components/multiselect';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { optionOfApplication } from '#dashboard/forms/choice-fields.tsx';
import { Field } from '#dashboard/forms/field.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { IdField, NameField } from '#dashboard/forms/name-and-id.tsx';
import { SetupField } from '#dashboard/forms/setup-field.tsx';
import { useAllApplications } from '#dashboard/forms/use-all-applications.ts';
import { useEnd } from '#dashboard/forms/use-end.ts';
import { keyExpiry } from '#dashboard/keys/key-expiry-field.tsx';
import { useSequenceWriter } from '#dashboard/session/dashboard-context.ts';
import { connectionKinds } from '#shared/contract/operation.ts';
import type { ConnectionView } from '../contract/connection.ts';
import type { Connected } from './connected-dialog.tsx';
import { type ConnectionSetup, connectionSetups } from './connection-setups.ts';
import {
  type Directory,
  DirectoryFields,
  directoryBody,
  directoryOf,
  missingOfDirectory,
} from './directory-fields.tsx';
import { GatewayFields, gatewayBody, type Identity, identityOf, missingIdentity } from './gateway-fields.tsx';

export interface ConnectionDialogProps {
  /** The connection to change. Default: a new one is created. */
  readonly connection?: ConnectionView;
  readonly onClose: () => void;
  /** A new connection comes with its first token. */
  readonly onSaved: (connectionId: string, connected?: Connected) => void;
}

/**
 * Changes a connection, or creates one: first what is connected, then only what that needs. Its ID, its kind and which attribute
 * becomes the user ID never change.
 */
export function ConnectionDialog({ connection, onClose, onSaved }: ConnectionDialogProps) {
  const write = useSequenceWriter();
  const isNew = connection === undefined;
  const [name, setName] = useState(connection?.name ?? '');
  const [id, setId] = useState(connection?.connectionId ?? '');
  const [setup, setSetup] = useState<ConnectionSetup>();
  const [applications, setApplications] = useState(connection?.applications ?? []);
  const [identity, setIdentity] = useState(() => identityOf(connection));
  const [directory, setDirectory] = useState(() => directoryOf(connection));
  const isDirectory = (connection ?? setup)?.kind === 'scim';
  const chooseSetup = (chosen: ConnectionSetup) => {
    setSetup(chosen);
    // What somebody has typed stays.
    setName((typed) => (typed === (setup?.name ?? '') ? chosen.name : typed));
    setId((typed) => (typed === (setup?.connectionId ?? '') ? chosen.connectionId : typed));
    setIdentity({ ...identityOf(), ...chosen.identity });
    setDirectory((before) => ({ ...before, userIdAttribute: chosen.userIdAttribute }));
  };
  const isChosen = !isNew || setup !== undefined;
  const missing = missingIn({ isNew, setup, isDirectory, directory, applications, identity });
  const action = useAction({
    mutationFn: async (): Promise<Saved> => {
      const body = { name, applications, ...(isDirectory ? directoryBody(directory) : gatewayBody(identity)) };
      if (connection !== undefined) {
        const { connectionId, version: ifMatch } = connection;
        await write('update-connection', { path: { connectionId }, ifMatch, body });
        return { connectionId };
      }
      if (setup === undefined) throw new Error('Nothing was chosen');
      const created = await write('create-connection', {
        body: {
          ...body,
          connectionId: id,
          kind: setup.kind,
          ...ownIdOf(setup, directory),
        },
      });
      const { token } = await write('issue-connection-key', {
        path: { connectionId: id },
        body: { label: null, scopes: [...connectionKinds[setup.kind]], expiresAt: end() ?? null },
      });
      return { connectionId: id, connected: { connection: created, setup, token } };
    },
    onSuccess: ({ connectionId, connected }) => onSaved(connectionId, connected),
  });
  const { mutate, isPending, error } = action;
  const end = useEnd(keyExpiry, action);
  return (
    <FormDialog
      title={isNew ? 'Create connection' : `Edit ${connection.name}`}
      verb={isNew ? 'Create connection' : 'Save'}
      size={isDirectory ? 'large' : 'medium'}
      missing={missing}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      {isNew && (
        <SetupField
          label="What do you connect?"
          description="It can't be changed later."
          pointer="#/kind"
          setups={connectionSetups}
          setup={setup}
          onChoose={chooseSetup}
        />
      )}
      {isChosen && <NameField value={name} onChange={setName} />}
      {isChosen && isNew && (
        <IdField
          label="Connection ID"
          description="Part of its tokens. It can't be changed or reused later."
          pointer="#/connectionId"
          value={id}
          onChange={setId}
        />
      )}
      {isChosen && (
        <ApplicationsField
          description={isDirectory ? 'Optional. Whose roles its groups can assign.' : 'What it may ask about.'}
          chosen={applications}
          onChange={setApplications}
        />
      )}
      {isChosen &&
        (isDirectory ? (
          <DirectoryFields directory={directory} applications={applications} isNew={isNew} onChange={setDirectory} />
        ) : (
          <GatewayFields purpose={setup?.purpose} identity={identity} onChange={setIdentity} />
        ))}
    </FormDialog>
  );
}

/** The attribute that becomes the user ID, which only a new directory has. */
function ownIdOf({ kind }: ConnectionSetup, { userIdAttribute }: Directory) {
  return kind === 'scim' && userIdAttribute !== undefined && { userIdAttribute };
}

interface Saved {
  readonly connectionId: string;
  readonly connected?: Connected;
}

interface Entered {
  readonly isNew: boolean;
  readonly setup: ConnectionSetup | undefined;
  readonly isDirectory: boolean;
  readonly directory: Directory;
  readonly applications: readonly string[];
  readonly identity: Identity;
}

/** What is missing before the connection can be saved; undefined if nothing. */
function missingIn({ isNew, setup, isDirectory, directory, applications, identity }: Entered): string | undefined {
  if (isNew && setup === undefined) return 'Choose what you connect.';
  if (isDirectory) return missingOfDirectory(directory);
  if (applications.length === 0) return 'Choose at least one application.';
  return setup?.purpose === 'proxy' ? missingIdentity(identity) : undefined;
}

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
