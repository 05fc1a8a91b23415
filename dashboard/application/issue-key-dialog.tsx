import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { type Scope, scopes } from '#shared/contract/operation.ts';
import { ExpiryField, expiryTimestamp, noExpiry } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useEnd } from '../forms/use-end.ts';
import { LabelField } from '../keys/label-key-dialog.tsx';
import { useWriter } from '../session/dashboard-context.ts';

const meanings: Readonly<Record<Scope, string>> = {
  'access:read': "Read a user's access and roles",
  'access:write': "Enable and disable a user's access",
  'roles:write': 'Assign and revoke roles',
};

export interface IssueKeyDialogProps {
  readonly appId: string;
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedKeyView) => void;
}

/** Issues a key with the chosen scopes, and a label if one is given. */
export function IssueKeyDialog({ appId, onClose, onIssued }: IssueKeyDialogProps) {
  const write = useWriter();
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes);
  const [expiry, setExpiry] = useState(noExpiry);
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
      title="Issue an API key"
      verb="Issue key"
      blocked={chosen.length === 0 || expiryTimestamp(expiry, 0) === undefined}
      isPending={isPending}
      error={error}
      onSubmit={issue}
      onClose={onClose}
    >
      <LabelField text={label} onChange={setLabel} />
      <FormField label="Scopes" errorText={chosen.length === 0 ? 'Choose at least one.' : undefined}>
        <SpaceBetween size="xs">
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              checked={chosen.includes(scope)}
              description={meanings[scope]}
              onChange={({ detail }) => choose(scope, detail.checked)}
            >
              {scope}
            </Checkbox>
          ))}
        </SpaceBetween>
      </FormField>
      <ExpiryField label="Expires" expiry={expiry} onChange={setExpiry} pointer="#/expiresAt" />
    </FormDialog>
  );
}
