import * as v from 'valibot';
import { accessFields } from '#shared/contract/access-fields.ts';
import { accessStatuses, userStatuses } from '#shared/contract/access-statuses.ts';
import { applicationFields } from '#shared/contract/application-fields.ts';
import type { Change } from '#shared/contract/change.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import type { AppId, BulkId, RoleName, UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { readItems } from '../client.ts';
import { nullableText, storedId } from '../item-schema.ts';
import type { Key } from '../key.ts';
import { applicationChangeKey, userChangeKey } from '../keys/change-item-keys.ts';
import { changesOf, readableChangeOf } from './change-item.ts';

const common = {
  id: v.string(),
  at: v.string(),
  userId: storedId<UserId>(),
  bulkId: v.optional(storedId<BulkId>()),
};
const after = v.object({ version: v.number() });
const grantStateSchema = v.object({
  granted: v.boolean(),
  expiresAt: nullableText,
  fromGroup: v.optional(v.boolean(), false),
});

const undoableSchema = v.variant('action', [
  v.object({
    ...common,
    action: v.literal('access.changed'),
    appId: storedId<AppId>(),
    before: v.object({
      status: v.picklist(accessStatuses),
      explicit: v.boolean(),
      ...fieldEntries(accessFields, 'stored'),
    }),
    after,
  }),
  v.object({
    ...common,
    action: v.picklist(['role.assigned', 'role.revoked']),
    appId: storedId<AppId>(),
    role: storedId<RoleName>(),
    before: grantStateSchema,
    after,
  }),
  v.object({
    ...common,
    action: v.literal('user.status.changed'),
    before: v.object({ status: v.picklist(userStatuses) }),
    after,
  }),
]);

/** A Change with the data to undo it: the state before it, and the version that it wrote. */
export type UndoableChange = Readonly<v.InferOutput<typeof undoableSchema>>;

/** Before there was a setting, no Change recorded it. */
const settings = v.object(fieldEntries(applicationFields, 'patch'));
const undoableApplicationSchema = v.object({
  action: v.literal('application.updated'),
  before: settings,
  after: settings,
});

/** A Change of an application's settings with those before and after it. */
export type UndoableApplicationChange = Readonly<v.InferOutput<typeof undoableApplicationSchema>>;

/** The user or the application whose own history has a Change. */
export type ChangeOwner = { readonly userId: UserId } | { readonly appId: AppId };

export type PlacedChange = ChangeOwner & { readonly changeId: string };

function keyOf(place: PlacedChange): Key {
  return 'userId' in place
    ? userChangeKey(place.userId, place.changeId)
    : applicationChangeKey(place.appId, place.changeId);
}

/** A Change from the history of a user or of an application itself, or 404 `change_not_found`; strongly consistent. */
export async function readExistingChange(place: PlacedChange): Promise<Change> {
  const [item] = await readItems([keyOf(place)]);
  const change = item && readableChangeOf(item);
  if (change !== undefined) return change;
  const owner = 'userId' in place ? 'user' : 'application';
  throw new ServiceError('change_not_found', { detail: `The history of the ${owner} has no change with this id.` });
}

/** Reads changes by id, strongly consistent; those that have expired are missing. */
export async function readChanges(wanted: readonly PlacedChange[]): Promise<ReadonlyMap<string, Change>> {
  const items = await readItems(wanted.map(keyOf));
  const changes = changesOf(items.filter((item) => item !== undefined));
  return new Map(changes.map((change) => [change.id, change]));
}

/** The Change with the data to undo it; undefined if it cannot be undone. */
export function undoableChange(change: Change): UndoableChange | undefined {
  const { success, output } = v.safeParse(undoableSchema, change);
  return success ? output : undefined;
}

/** The same of a Change of an application's settings. */
export function undoableApplicationChange(change: Change): UndoableApplicationChange | undefined {
  const { success, output } = v.safeParse(undoableApplicationSchema, change);
  return success ? output : undefined;
}
