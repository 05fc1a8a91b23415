import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { useAction } from '../api/use-action.ts';
import { missingEnd } from '../forms/chosen-expiry.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useEnd } from '../forms/use-end.ts';
import { KeyExpiryField, keyExpiry } from '../keys/key-expiry-field.tsx';
import type { KeyOwner } from '../keys/key-owner.ts';
import { LabelField } from '../keys/label-key-dialog.tsx';
import { useKeyWrites } from '../keys/use-key-writes.ts';

export interface IssueKeyDialogProps {
  readonly owner: KeyOwner;
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedKeyView<string>) => void;
}

/** Issues a key with the chosen scopes and an optional label, for 90 days unless another end is chosen. */
export function IssueKeyDialog({ owner, onClose, onIssued }: IssueKeyDialogProps) {
  const { words, scopes } = owner;
  const { issue: send } = useKeyWrites(owner);
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    scopes.filter(({ isUsual }) => isUsual).map(({ name }) => name),
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
    setChosen(scopes.map(({ name }) => name).filter((name) => (name === scope ? isChosen : chosen.includes(name))));
  return (
    <FormDialog
      title={`Issue ${words.key}`}
      verb={`Issue ${words.short}`}
      missing={chosen.length === 0 ? 'Choose a scope.' : missingEnd(expiry)}
      isPending={isPending}
      error={error}
      onSubmit={issue}
      onClose={onClose}
    >
      <LabelField text={label} onChange={setLabel} />
      <FormField
        label="Scopes"
        description={`What the key allows. Choose only what the ${words.owner} needs.`}
        errorText={chosen.length === 0 ? 'Choose at least one scope.' : undefined}
      >
        <SpaceBetween size="xs">
          {scopes.map(({ name, description }) => (
            <Checkbox
              key={name}
              checked={chosen.includes(name)}
              description={description}
              onChange={({ detail }) => choose(name, detail.checked)}
            >
              {name}
            </Checkbox>
          ))}
        </SpaceBetween>
      </FormField>
      <KeyExpiryField expiry={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
