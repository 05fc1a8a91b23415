/** Who makes a request. */
export type Caller =
  | { readonly kind: 'api-key'; readonly appId: string; readonly keyId: string }
  | { readonly kind: 'operator'; readonly id: string };
