import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { type Scope, scopes } from '#shared/contract/operation.ts';
import { fieldError } from '../api/problem-error.ts';
import { ExpiryField, expiryTimestamp, noExpiry } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useApi } from '../session/dashboard-context.ts';

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

/** Issues a key with the chosen scopes. */
export function IssueKeyDialog({ appId, onClose, onIssued }: IssueKeyDialogProps) {
  const api = useApi();
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes);
  const [expiry, setExpiry] = useState(noExpiry);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (expiresAt: string | null) =>
      api('issue-key', { path: { appId }, body: { scopes: chosen, expiresAt } }),
    onSuccess: (issued) => onIssued(issued),
  });
  const issue = () => {
    const expiresAt = expiryTimestamp(expiry, Date.now());
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
      <ExpiryField label="Expires" expiry={expiry} onChange={setExpiry} errorText={fieldError(error, '#/expiresAt')} />
    </FormDialog>
  );
}
