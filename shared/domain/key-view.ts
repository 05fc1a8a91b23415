import type { KeyView } from '#shared/contract/management.ts';
import type { KeyState } from '#shared/table/application.ts';

/** What an operator sees of an API key. */
export function keyView(keyId: string, state: KeyState, lastUsedOn: string | null): KeyView {
  const { scopes, createdAt, expiresAt, revokedAt } = state;
  return { keyId, scopes, createdAt, expiresAt, revokedAt, lastUsedOn };
}
