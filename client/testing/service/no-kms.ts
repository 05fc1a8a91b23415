import type * as kms from '#shared/keys/kms.ts';

const refuse = () => Promise.reject(new Error('The fake has no KMS'));

/** Replaces `shared/keys/kms.ts` in the bundle of the fake, whose root key is in its environment, and which has no webhooks. */
export const generateRoot: typeof kms.generateRoot = refuse;
export const publicKeyInKms: typeof kms.publicKeyInKms = refuse;
export const signRs256WithKms: typeof kms.signRs256WithKms = refuse;
