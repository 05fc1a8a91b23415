import * as v from 'valibot';
import { accessStatuses, userStatuses } from './access.ts';
import { defaultPageSize, maxPageSize } from './limits.ts';

const page = {
  limit: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => /^\d{1,3}$/.test(text), `must be a whole number from 1 to ${maxPageSize}`),
      v.metadata({ type: 'integer', minimum: 1, maximum: maxPageSize }),
      v.transform(Number),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(maxPageSize, `must be at most ${maxPageSize}`),
    ),
    String(defaultPageSize),
  ),
  /** Of the page before. */
  cursor: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty; leave it out instead'))),
};

/** Query of every list. */
export const pageQuerySchema = v.strictObject(page);

/** Query of `GET /users`. */
export const usersQuerySchema = v.strictObject({
  ...page,
  prefix: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9._~\-@:|+=]{0,128}$/, 'must be the beginning of a user id')),
    '',
  ),
  status: v.optional(v.picklist(userStatuses, 'must be "active" or "inactive"')),
});

/** Query of `GET /applications/{appId}/users`. */
export const applicationUsersQuerySchema = v.strictObject({
  ...page,
  status: v.optional(v.picklist(accessStatuses, 'must be "enabled" or "disabled"')),
});

/** Query of `GET /applications/{appId}/changes`: `after` reads forward, from the beginning when it is empty. */
export const changesQuerySchema = v.strictObject({ ...page, after: v.optional(v.string()) });

/** Query of `GET /changes`, which reads forward only. */
export const ownChangesQuerySchema = v.strictObject({
  limit: page.limit,
  after: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty; leave it out instead'))),
});
export type OwnChangesQuery = v.InferOutput<typeof ownChangesQuerySchema>;

/** Query of the deletions that are refused while something is in use. */
export const forceQuerySchema = v.strictObject({
  force: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
});
