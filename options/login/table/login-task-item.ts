import * as v from 'valibot';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import {
  type Item,
  queryItems,
  readItems,
  type TransactEntry,
  updateItem,
  updateItemIf,
} from '#shared/table/client.ts';
import { deleteEntry, updateEntry, updateOf } from '#shared/table/expression.ts';
import { absentText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { Key } from '#shared/table/key.ts';
import { accountTaskKey, clientTaskKey, loginTasksRange } from './login-item-keys.ts';

/** Whose account, or which client, may differ from the table. */
export type TaskSubject = { readonly userId: UserId } | { readonly appId: AppId };

const taskSchema = v.object({
  userId: v.optional(storedId<UserId>()),
  appId: v.optional(storedId<AppId>()),
  /** The latest change: one that comes while a function works on the task keeps the task. */
  changeId: v.string(),
  /** When the user, the account, the application or the login was last deleted: what was made before is not kept. */
  deletedAt: absentText,
  /** When nobody is working on it, from when on the schedule does, in milliseconds since the epoch. */
  dueAt: v.number(),
  /** Who is working on it. */
  leaseToken: absentText,
});

/** A change that the provider is still to be told of. It is deleted once the provider knows. */
export type LoginTask = Readonly<Omit<v.InferOutput<typeof taskSchema>, 'userId' | 'appId'>> & {
  readonly subject: TaskSubject;
};

export interface TaskNote {
  readonly changeId: string;
  readonly deletedAt?: string | undefined;
}

/** A function that is invoked for a change has so long before the schedule looks for it too. */
const graceMilliseconds = 30_000;

/** Notes that the provider must be told of a change; repeated, it does so again. */
export async function noteTask(subject: TaskSubject, note: TaskNote): Promise<void> {
  await updateItem(noteOf(subject, note));
}

/** The same as an entry of a transaction. */
export function noteTaskEntry(subject: TaskSubject, note: TaskNote): TransactEntry {
  return { Update: noteOf(subject, note) };
}

function noteOf(subject: TaskSubject, { changeId, deletedAt }: TaskNote) {
  const dueAt = now().getTime() + graceMilliseconds;
  return updateOf({ key: keyOf(subject), set: { ...subject, changeId, dueAt, ...(deletedAt && { deletedAt }) } });
}

/** The task of a user or an application; undefined if nothing is to be told. */
export async function readTask(subject: TaskSubject): Promise<LoginTask | undefined> {
  const [item] = await readItems([keyOf(subject)]);
  return item && taskOf(item);
}

function taskOf(item: Item): LoginTask {
  const { userId, appId, ...task } = parseItem(taskSchema, item);
  if (userId !== undefined) return { ...task, subject: { userId } };
  if (appId !== undefined) return { ...task, subject: { appId } };
  throw new Error('A task of the login has neither a user nor an application');
}

/** A page of the tasks; `next` is undefined at the end. */
export async function readTasks(after: Item | undefined): Promise<{ tasks: LoginTask[]; next: Item | undefined }> {
  const { items, next } = await queryItems(loginTasksRange(), { after });
  return { tasks: items.map(taskOf), next };
}

/** The right of one function to work on a task, longer than any function runs. */
export interface TaskLease {
  readonly token: string;
  readonly until: number;
}

/** Takes the lease; false if there is no such task, or another function has it. */
export function takeTask(subject: TaskSubject, { token, until }: TaskLease): Promise<boolean> {
  const key = keyOf(subject);
  const set = { leaseToken: token, leaseUntil: until };
  return updateItemIf(updateOf({ key, set, equals: { sk: key.sk }, below: { leaseUntil: now().getTime() } }));
}

/** Deletes a task of which the provider has been told, unless there is a later change. */
export function finishTaskEntry({ subject, changeId }: LoginTask, { token }: TaskLease): TransactEntry {
  return deleteEntry(keyOf(subject), { equals: { changeId, leaseToken: token } });
}

/** Leaves a task to the schedule from a time on, unless there is a later change. */
export function postponeTaskEntry(
  { subject, changeId }: LoginTask,
  dueAt: number,
  { token }: TaskLease,
): TransactEntry {
  const remove = ['leaseToken', 'leaseUntil'];
  return updateEntry({ key: keyOf(subject), set: { dueAt }, remove, equals: { changeId, leaseToken: token } });
}

/** Gives up a task that failed, so that another function can take it. */
export async function releaseTask(subject: TaskSubject, { token }: TaskLease): Promise<void> {
  const remove = ['leaseToken', 'leaseUntil'];
  await updateItemIf(updateOf({ key: keyOf(subject), set: {}, remove, equals: { leaseToken: token } }));
}

function keyOf(subject: TaskSubject): Key {
  return 'userId' in subject ? accountTaskKey(subject.userId) : clientTaskKey(subject.appId);
}
