import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import { useState } from 'react';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import { useAction } from '../api/use-action.ts';
import { missingEnd } from '../forms/chosen-expiry.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { OverlapField, usualOverlap } from '../forms/overlap-field.tsx';
import { TypedConfirmation } from '../forms/typed-confirmation.tsx';
import { useEnd } from '../forms/use-end.ts';
import { KeyExpiryField, keyExpiry } from '../keys/key-expiry-field.tsx';
import type { KeyOwner } from '../keys/key-owner.ts';
import { useKeyWrites } from '../keys/use-key-writes.ts';

interface KeyDialogProps {
  readonly owner: KeyOwner;
  readonly apiKey: KeyView<string>;
  readonly onClose: () => void;
}

export interface RotateKeyDialogProps extends KeyDialogProps {
  readonly onRotated: (key: IssuedKeyView<string>) => void;
}

export interface RevokeKeyDialogProps extends KeyDialogProps {
  readonly onRevoked: () => void;
}

/** Issues a new key; the old one remains valid for the overlap. */
export function RotateKeyDialog({ owner, apiKey: { keyId }, onClose, onRotated }: RotateKeyDialogProps) {
  const { rotate: send } = useKeyWrites(owner);
  const [overlap, setOverlap] = useState(usualOverlap);
  const [setsExpiry, setSetsExpiry] = useState(false);
  const [expiry, setExpiry] = useState(keyExpiry);
  const action = useAction({
    mutationFn: (chosen: { readonly expiresAt?: string | null }) => send(keyId, { overlap, ...chosen }),
    onSuccess: (rotated) => onRotated(rotated),
  });
  const { mutate, isPending, error } = action;
  const end = useEnd(expiry, action);
  const rotate = () => {
    const expiresAt = end();
    if (!setsExpiry) mutate({});
    else if (expiresAt !== undefined) mutate({ expiresAt });
  };
  return (
    <FormDialog
      title="Rotate key"
      verb="Rotate key"
      missing={setsExpiry ? missingEnd(expiry) : undefined}
      isPending={isPending}
      error={error}
      onSubmit={rotate}
      onClose={onClose}
    >
      <Box>
        You get a new key with the same scopes and label. <span className="break">{keyId}</span> remains valid during
        the overlap, so the {owner.words.owner} can switch to the new one.
      </Box>
      <OverlapField overlap={overlap} none="None: revoke the old key immediately" onChange={setOverlap} />
      <Checkbox
        checked={setsExpiry}
        description="Otherwise the new key gets the same lifetime as the old one, starting now."
        onChange={({ detail }) => setSetsExpiry(detail.checked)}
      >
        Set an expiry for the new key
      </Checkbox>
      {setsExpiry && <KeyExpiryField expiry={expiry} onChange={setExpiry} />}
    </FormDialog>
  );
}

/** Revokes a key after its last six characters are typed, because this can't be undone. */
export function RevokeKeyDialog({ owner, apiKey: { keyId }, onClose, onRevoked }: RevokeKeyDialogProps) {
  const { revoke: send } = useKeyWrites(owner);
  const ending = keyId.slice(-6);
  const revoke = async () => {
    await send(keyId);
    onRevoked();
  };
  return (
    <TypedConfirmation
      title="Revoke key"
      verb="Revoke key"
      wanted={ending}
      label={`Type ${ending} (the last six characters of the key ID) to confirm`}
      warning={`Requests ${owner.words.usedAs} ${keyId} are rejected immediately. This can't be undone.`}
      act={revoke}
      onClose={onClose}
    />
  );
}
