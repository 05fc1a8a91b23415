import type { ChangeAction } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { sendToFunction } from '#shared/core/call-aws.ts';
import { log } from '#shared/core/telemetry.ts';
import type { FeedFollower } from '#shared/domain/history/feed-follower.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { placeOfRecord, type StreamRecord, sequenceNumberOf } from '#shared/table/items/change-item.ts';
import { noteTask, type TaskNote, type TaskSubject } from '../table/login-task-item.ts';
import { loginConfig } from './login-config.ts';

/** Whose accounts and which clients may differ from the table. */
export interface LoginChanges {
  readonly userIds: readonly UserId[];
  readonly appIds: readonly AppId[];
}

type OfSubject = Readonly<Partial<Record<ChangeAction, 'changes' | 'deletes'>>>;

/** The changes after which an account or a client is another one, and those after which there is a new one, if any. */
const ofAccount: OfSubject = {
  'user.status.changed': 'changes',
  'user.updated': 'changes',
  'user.deleted': 'deletes',
  'user.invited': 'changes',
  'user.signed.out': 'changes',
  'user.account.deleted': 'deletes',
};
const ofClient: OfSubject = {
  'login.changed': 'changes',
  'login.deleted': 'deletes',
  'application.deleted': 'deletes',
};

/** A user or an application, and the latest of its changes in a batch. */
export type NotedChange = TaskNote & { readonly subject: TaskSubject };

/** Of a batch, the users and applications of whose accounts and clients the provider must be told. */
export function changesIn(records: readonly StreamRecord[]): readonly NotedChange[] {
  const found = new Map<string, NotedChange>();
  for (const { action, id, at, userId, appId } of records.map(placeOfRecord)) {
    const effect = userId === undefined ? ofClient[action as ChangeAction] : ofAccount[action as ChangeAction];
    const subject = userId !== undefined ? { userId } : appId !== undefined ? { appId } : undefined;
    if (effect === undefined || subject === undefined) continue;
    const name = JSON.stringify(subject);
    const deletedAt = effect === 'deletes' ? at : found.get(name)?.deletedAt;
    found.set(name, { subject, changeId: id, deletedAt });
  }
  return [...found.values()];
}

/**
 * Notes in the table what the provider must be told of, and then invokes the function that tells it, without waiting. An invocation
 * that is lost delays it by a minute: a schedule finds the note. What cannot be noted is read again.
 */
async function take(records: readonly StreamRecord[]): Promise<string | undefined> {
  const { synchronizer } = loginConfig();
  if (synchronizer === undefined) return undefined;
  const changes = changesIn(records);
  if (changes.length === 0) return undefined;
  try {
    await mapConcurrently(changes, ({ subject, ...note }) => noteTask(subject, note));
  } catch (error) {
    log.error('Changes of accounts and logins could not be noted', { error });
    return records.map(sequenceNumberOf)[0];
  }
  await invoke(
    synchronizer,
    changes.map(({ subject }) => subject),
  );
  return undefined;
}

async function invoke(synchronizer: string, subjects: readonly TaskSubject[]): Promise<void> {
  const userIds = subjects.flatMap((subject) => ('userId' in subject ? [subject.userId] : []));
  const appIds = subjects.flatMap((subject) => ('appId' in subject ? [subject.appId] : []));
  try {
    await sendToFunction(synchronizer, { userIds, appIds } satisfies LoginChanges);
  } catch (error) {
    log.warn('The function that tells the provider of changes could not be invoked', { error });
  }
}

/** Follows the table's stream, before Changes get their numbers. */
export const loginFollower: FeedFollower = { take, wake: async () => undefined };
