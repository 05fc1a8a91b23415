import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { type ConnectionScope, connectionKinds, type Scope, scopes } from '#shared/contract/operation.ts';
import { useAction } from '../api/use-action.ts';
import { expiryTimestamp } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useEnd } from '../forms/use-end.ts';
import { KeyExpiryField, keyExpiry } from '../keys/key-expiry-field.tsx';
import { LabelField } from '../keys/label-key-dialog.tsx';
import { type KeyOwner, useKeyWrites } from '../keys/use-key-writes.ts';
import { registeredPages } from '../options/registered-pages.ts';

const scopeDescriptions: Readonly<Partial<Record<Scope, string>>> = {
  'access:read': 'Read who is allowed to use the application, with which roles, and follow the changes',
  'access:write': 'Allow users to use the application, and block them',
  'roles:write': "Assign the application's roles to users, and remove them",
  ...Object.assign({}, ...registeredPages.map(({ scopes }) => scopes)),
};

const connectionScopes: Readonly<Record<ConnectionScope, string>> = {
  'access:read': 'Ask whether users are allowed to use the applications',
  'roles:read': 'Ask for roles, and get the roles of users',
  'users:write': 'Create, change and deactivate the users of the directory',
  'roles:write': 'Keep groups, and assign the roles that they are mapped to',
};

export interface IssueKeyDialogProps {
  readonly owner: KeyOwner;
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedKeyView<string>) => void;
}

/**
 * Issues a key with the chosen scopes and an optional label, for 90 days unless another end is chosen. The key of an application
 * can only read at first, that of a connection all that its kind can.
 */
export function IssueKeyDialog({ owner, onClose, onIssued }: IssueKeyDialogProps) {
  const isOfApplication = 'appId' in owner;
  const known: readonly (readonly [string, string | undefined])[] =
    'appId' in owner
      ? scopes.map((scope) => [scope, scopeDescriptions[scope]])
      : connectionKinds[owner.kind].map((scope) => [scope, connectionScopes[scope]]);
  const { issue: send } = useKeyWrites(owner);
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(
    isOfApplication ? ['access:read'] : known.map(([scope]) => scope),
  );
  const [expiry, setExpiry] = useState(keyExpiry);
  const action = useAction({
    mutationFn: (expiresAt: string | null) => send({ label: label.trim() || null, scopes: chosen, expiresAt }),
    onSuccess: (issued) => onIssued(issued),
  });
  const { mutate, isPending, error } = action;
  const end = useEnd(expiry, action);
  const issue = () => {
    const expiresAt = end();
    if (expiresAt !== undefined) mutate(expiresAt);
  };
  const choose = (scope: string, isChosen: boolean) =>
    setChosen(known.flatMap(([each]) => ((each === scope ? isChosen : chosen.includes(each)) ? [each] : [])));
  return (
    <FormDialog
      title={isOfApplication ? 'Issue API key' : 'Issue token'}
      verb={isOfApplication ? 'Issue key' : 'Issue token'}
      isIncomplete={chosen.length === 0 || expiryTimestamp(expiry, 0) === undefined}
      isPending={isPending}
      error={error}
      onSubmit={issue}
      onClose={onClose}
    >
      <LabelField text={label} onChange={setLabel} />
      <FormField
        label="Scopes"
        description={`What the key allows. Choose only what the ${isOfApplication ? 'application' : 'connection'} needs.`}
        errorText={chosen.length === 0 ? 'Choose at least one scope.' : undefined}
      >
        <SpaceBetween size="xs">
          {known.map(([scope, description]) => (
            <Checkbox
              key={scope}
              checked={chosen.includes(scope)}
              description={description}
              onChange={({ detail }) => choose(scope, detail.checked)}
            >
              {scope}
            </Checkbox>
          ))}
        </SpaceBetween>
      </FormField>
      <KeyExpiryField expiry={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
