import * as v from 'valibot';
import { roleNamePattern, userIdPattern } from './id-patterns.ts';

/** A user of any application. */
export const userIdSchema = v.pipe(
  v.string('must be a string'),
  v.regex(userIdPattern, 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ - @ : | + = and not . or ..'),
  v.brand('UserId'),
);
export type UserId = v.InferOutput<typeof userIdSchema>;

/** Whether a text is a user id. */
export function isUserId(text: string): text is UserId {
  return v.is(userIdSchema, text);
}

export const appIdSchema = v.pipe(
  v.string('must be a string'),
  v.regex(/^[a-z][a-z0-9-]{1,39}$/, 'must be a lower-case letter and 1 to 39 more of a-z 0-9 -'),
  v.brand('AppId'),
);
export type AppId = v.InferOutput<typeof appIdSchema>;

/** Case-sensitive; the same name in two applications is two roles. */
export const roleNameSchema = v.pipe(
  v.string('must be a string'),
  v.regex(roleNamePattern, 'must be a letter and up to 63 more of A-Z a-z 0-9 . _ : -'),
  v.brand('RoleName'),
);
export type RoleName = v.InferOutput<typeof roleNameSchema>;

/** `svk_<root version>_<appId>_<ULID>`; made and read by `shared/keys/key-id.ts`. */
export type KeyId = string & v.Brand<'KeyId'>;
