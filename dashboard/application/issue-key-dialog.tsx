import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/management.ts';
import { type Scope, scopes } from '#shared/contract/routes.ts';
import { fieldError } from '../api/problem-error.ts';
import { EndField, momentOf, noEnd } from '../forms/end-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useApi } from '../session/dashboard-context.ts';

const meanings: Readonly<Record<Scope, string>> = {
  'access:read': 'Ask whether a user may enter, and with which roles',
  'access:write': 'Turn the access of a user on and off',
  'roles:write': 'Assign roles and take them back',
};

export interface IssueKeyDialogProps {
  readonly appId: string;
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedKeyView) => void;
}

/** Issues a key with no more scopes than needed. */
export function IssueKeyDialog({ appId, onClose, onIssued }: IssueKeyDialogProps) {
  const api = useApi();
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes);
  const [end, setEnd] = useState(noEnd);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (expiresAt: string | null) =>
      api('issue-key', { path: { appId }, body: { scopes: chosen, expiresAt } }),
    onSuccess: (issued) => onIssued(issued),
  });
  const issue = () => {
    const expiresAt = momentOf(end, Date.now());
    if (expiresAt !== undefined) mutate(expiresAt);
  };
  const choose = (scope: Scope, isChosen: boolean) =>
    setChosen(scopes.filter((each) => (each === scope ? isChosen : chosen.includes(each))));
  return (
    <FormDialog
      title="Issue an API key"
      verb="Issue key"
      blocked={chosen.length === 0 || momentOf(end, 0) === undefined}
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
      <EndField label="Expires" end={end} onChange={setEnd} errorText={fieldError(error, '#/expiresAt')} />
    </FormDialog>
  );
}
