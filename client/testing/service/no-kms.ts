import type * as kms from '#shared/keys/kms.ts';

/** Replaces `shared/keys/kms.ts` in the bundle of the fake, whose root key is in its environment. */
export const generateRoot: typeof kms.generateRoot = () => Promise.reject(new Error('The fake has no KMS'));
