import type { KeyView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { TypedConfirmation } from '../forms/typed-confirmation.tsx';

export interface RevokeKeyDialogProps {
  readonly appId: string;
  readonly apiKey: KeyView;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Revokes a key once its last six characters are typed: there is no way back, and its users stand outside at once. */
export function RevokeKeyDialog({ appId, apiKey: { keyId }, onClose, onRevoked }: RevokeKeyDialogProps) {
  const api = useApi();
  const ending = keyId.slice(-6);
  const revoke = async () => {
    await api('revoke-key', { path: { appId, keyId } });
    onRevoked();
  };
  return (
    <TypedConfirmation
      title="Revoke the key"
      verb="Revoke key"
      wanted={ending}
      label={`Type ${ending}, the last six characters of the key id`}
      warning={`Every request signed with ${keyId} is refused at once. This cannot be undone.`}
      act={revoke}
      onClose={onClose}
    />
  );
}
