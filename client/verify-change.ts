export { type ChangeKeys, type ChangeKeysOptions, changeKeys, type PublicKey } from './verify/fetch-change-keys.ts';
export { ChangeNotVerifiedError, type NotVerifiedReason } from './verify/not-verified-error.ts';
export { type JwkSet, type VerifyChangeOptions, verifyChange } from './verify/verify-signed-change.ts';
