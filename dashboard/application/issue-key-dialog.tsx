import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { type Scope, scopes } from '#shared/contract/operation.ts';
import { fieldError, isUnanswered } from '../api/problem-error.ts';
import { type Expiry, ExpiryField, expiryTimestamp, noExpiry } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
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

interface SentForm {
  readonly chosen: readonly Scope[];
  readonly expiry: Expiry;
  readonly expiresAt: string | null;
}

/** Issues a key with the chosen scopes. */
export function IssueKeyDialog({ appId, onClose, onIssued }: IssueKeyDialogProps) {
  const write = useWriter();
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes);
  const [expiry, setExpiry] = useState(noExpiry);
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: ({ chosen: granted, expiresAt }: SentForm) =>
      write('issue-key', { path: { appId }, body: { scopes: granted, expiresAt } }),
    onSuccess: (issued) => onIssued(issued),
  });
  const issue = () => {
    // The same action again is the same request, so "in 1 hour" is still an hour after the first attempt.
    const isUnchanged = variables?.chosen === chosen && variables.expiry === expiry;
    if (isUnanswered(error) && isUnchanged) return mutate(variables);
    const expiresAt = expiryTimestamp(expiry, Date.now());
    if (expiresAt !== undefined) mutate({ chosen, expiry, expiresAt });
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
