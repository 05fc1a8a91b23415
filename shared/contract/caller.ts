/** Who makes a request. */
export type Caller =
  | { readonly kind: 'api-key'; readonly appId: string; readonly keyId: string }
  /** `id` is the IAM ARN or the token's `sub`; the token's e-mail address is there for people to read. */
  | { readonly kind: 'operator'; readonly id: string; readonly email?: string };
