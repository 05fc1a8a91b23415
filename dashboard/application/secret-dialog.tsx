import Box from '@cloudscape-design/components/box';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { Copyable } from '../forms/copyable.tsx';
import { OnceDialog } from '../forms/once-dialog.tsx';
import type { KeyOwner } from '../keys/use-key-writes.ts';
import { TryPanel } from './try-panel.tsx';

export interface SecretDialogProps {
  readonly owner: KeyOwner;
  readonly issued: IssuedKeyView<string>;
  readonly onClose: () => void;
}

/** Shows a new key's secret, once. */
export function SecretDialog({ owner, issued, onClose }: SecretDialogProps) {
  const { keyId, secret, replaces } = issued;
  const isOfApplication = 'appId' in owner;
  return (
    <OnceDialog
      title={isOfApplication ? 'Your new API key' : 'Your new token'}
      word={isOfApplication ? 'secret' : 'token'}
      secret={secret}
      hint={storeHint(owner)}
      above={
        <>
          {replaces !== null && (
            <Box padding={{ bottom: 'm' }}>
              It replaces <span className="break">{replaces}</span>.
            </Box>
          )}
          <Copyable label="Key ID" text={keyId} />
        </>
      }
      below={isOfApplication && <TryPanel issued={issued} />}
      onClose={onClose}
    />
  );
}

function storeHint(owner: KeyOwner): string {
  if ('appId' in owner) return 'Store it where the application reads its secrets.';
  return owner.kind === 'scim' ? 'Enter it in the directory.' : 'Store it where the gateway reads its secrets.';
}
