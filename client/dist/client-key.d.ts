/** An API key, as it was issued. */
export interface ApiKey {
  /** `svk_…` */
  readonly keyId: string;
  /** `svs_…`, or the WebCrypto key (HMAC with SHA-256, usage `sign`) of its bytes. */
  readonly secret: string | SigningKey;
}
/** An API key whose secret is imported already, or is being imported. */
export interface ImportedKey {
  readonly keyId: string;
  readonly secret: SigningKey | Promise<SigningKey>;
}
/** A `CryptoKey`, under the name that the platform's types give it. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
/** Imports the secret of a key. Refuses text that is not a key id: it is sent, and a secret in its place would be sent too. */
export declare function importKey({ keyId, secret }: ApiKey): ImportedKey;
/** Encodes a text in UTF-8. */
export declare function encodeText(text: string): Uint8Array<ArrayBuffer>;
