/** Where everyone can read the public keys that verify Security Event Tokens, without a signature. */
export const eventKeysPath = '/.well-known/jwks.json';
export const eventKeysRoute = `GET ${eventKeysPath}`;
