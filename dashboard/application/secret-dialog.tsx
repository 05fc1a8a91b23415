import Box from '@cloudscape-design/components/box';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { Copyable, OnceDialog } from '../forms/once-dialog.tsx';
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
      reader={isOfApplication ? 'the application' : 'the gateway'}
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
