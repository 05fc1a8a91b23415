import { Copyable } from '#dashboard/forms/copyable.tsx';
import { OnceDialog } from '#dashboard/forms/once-dialog.tsx';
import type { LoginSecretView } from '../contract/login.ts';

export interface LoginSecretDialogProps {
  readonly issued: LoginSecretView;
  readonly onClose: () => void;
}

/** Shows a new secret of a login, once. */
export function LoginSecretDialog({ issued: { clientId, secret }, onClose }: LoginSecretDialogProps) {
  return (
    <OnceDialog
      title="New login secret"
      word="secret"
      secret={secret}
      hint="Store it where the application reads its secrets, as CLIENT_SECRET. Two secrets are valid at a time: the previous one still works, older ones don't."
      above={<Copyable label="Client ID" text={clientId} />}
      onClose={onClose}
    />
  );
}
