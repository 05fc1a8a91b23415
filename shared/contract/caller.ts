import * as v from 'valibot';
import type { Unchanging } from './answer.ts';
import { appIdSchema } from './ids.ts';

/** Any text: what is no key's id belongs to none. */
export const keyIdSchema = v.pipe(v.string(), v.brand('KeyId'));

/** Who makes a request. */
export const callerSchema = v.variant('kind', [
  v.object({ kind: v.literal('api-key'), appId: appIdSchema, keyId: keyIdSchema }),
  /** `id` is the IAM ARN or the token's `sub`; the token's e-mail address is there for people to read. */
  v.object({ kind: v.literal('operator'), id: v.string(), email: v.exactOptional(v.string()) }),
]);
export type Caller = Unchanging<v.InferOutput<typeof callerSchema>>;
