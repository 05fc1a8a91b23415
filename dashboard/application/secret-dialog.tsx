import Box from '@cloudscape-design/components/box';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { Copyable } from '../forms/copyable.tsx';
import { OnceDialog } from '../forms/once-dialog.tsx';
import type { KeyOwner } from '../keys/key-owner.ts';

export interface SecretDialogProps {
  readonly owner: KeyOwner;
  readonly issued: IssuedKeyView<string>;
  readonly onClose: () => void;
}

/** Shows a new key's secret, once. */
export function SecretDialog({ owner, issued, onClose }: SecretDialogProps) {
  const { keyId, secret, replaces } = issued;
  const { words, Trial } = owner;
  return (
    <OnceDialog
      title={`Your new ${words.key}`}
      word={words.secret}
      secret={secret}
      hint={words.storeHint}
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
      below={Trial && <Trial issued={issued} />}
      onClose={onClose}
    />
  );
}
