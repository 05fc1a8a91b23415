import type { AppId, KeyId } from './ids.ts';

/** Who makes a request. */
export type Caller =
  | { readonly kind: 'api-key'; readonly appId: AppId; readonly keyId: KeyId }
  /** `id` is the IAM ARN or the token's `sub`; the token's e-mail address is there for people to read. */
  | { readonly kind: 'operator'; readonly id: string; readonly email?: string };
