import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { type Scope, scopes } from '#shared/contract/operation.ts';
import { expiryTimestamp } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useEnd } from '../forms/use-end.ts';
import { KeyExpiryField, keyExpiry } from '../keys/key-expiry-field.tsx';
import { LabelField } from '../keys/label-key-dialog.tsx';
import { useWriter } from '../session/dashboard-context.ts';

const scopeDescriptions: Readonly<Record<Scope, string>> = {
  'access:read': 'Read who is allowed to use the application, with which roles, and follow the changes',
  'access:write': 'Allow users to use the application, and block them',
  'roles:write': "Assign the application's roles to users, and remove them",
};

export interface IssueKeyDialogProps {
  readonly appId: string;
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedKeyView) => void;
}

/** Issues a key with the chosen scopes and an optional label; unless others are chosen, for 90 days of reading. */
export function IssueKeyDialog({ appId, onClose, onIssued }: IssueKeyDialogProps) {
  const write = useWriter();
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['access:read']);
  const [expiry, setExpiry] = useState(keyExpiry);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (expiresAt: string | null) =>
      write('issue-key', { path: { appId }, body: { label: label.trim() || null, scopes: chosen, expiresAt } }),
    onSuccess: (issued) => onIssued(issued),
  });
  const end = useEnd(expiry, error);
  const issue = () => {
    const expiresAt = end();
    if (expiresAt !== undefined) mutate(expiresAt);
  };
  const choose = (scope: Scope, isChosen: boolean) =>
    setChosen(scopes.filter((each) => (each === scope ? isChosen : chosen.includes(each))));
  return (
    <FormDialog
      title="Issue API key"
      verb="Issue key"
      isIncomplete={chosen.length === 0 || expiryTimestamp(expiry, 0) === undefined}
      isPending={isPending}
      error={error}
      onSubmit={issue}
      onClose={onClose}
    >
      <LabelField text={label} onChange={setLabel} />
      <FormField
        label="Scopes"
        description="What the key allows. Choose only what the application needs."
        errorText={chosen.length === 0 ? 'Choose at least one scope.' : undefined}
      >
        <SpaceBetween size="xs">
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              checked={chosen.includes(scope)}
              description={scopeDescriptions[scope]}
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
