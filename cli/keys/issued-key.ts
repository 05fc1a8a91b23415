import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import type { CommandContext } from '../service/command-context.ts';
import { formatExpiry } from '../terminal/format-time.ts';
import { type SecretOptions, type TakenSecret, takeSecret } from './take-secret.ts';

/** What a kind of key is called. */
export interface KeyWords extends Pick<TakenSecret, 'member'> {
  /** The command that revokes a key, without the key. */
  readonly revoke: readonly string[];
}

type IssuedKey = IssuedKeyView<string>;

/** Requests a key and shows it, or writes it to the file of `--out`. */
export async function takeKey(
  context: CommandContext<SecretOptions>,
  { member, revoke }: KeyWords,
  request: () => Promise<IssuedKey>,
): Promise<IssuedKey> {
  const { key } = await takeSecret(context, async () => {
    const key = await request();
    const { secret, ...answer } = key;
    const { keyId, label, scopes, expiresAt } = answer;
    const rows = [
      ['key', keyId],
      ['label', label ?? '-'],
      [member, secret],
      ['scopes', scopes.join(' ')],
      ['expires', formatExpiry(expiresAt)],
    ] as const;
    return {
      key,
      member,
      secret,
      answer,
      rows,
      owner: `the key ${keyId}`,
      done: `The key ${keyId} was issued`,
      otherwise: ['Revoke it:', [...revoke, keyId]] as const,
    };
  });
  return key;
}
