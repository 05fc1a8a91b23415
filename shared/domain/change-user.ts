import type { ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/ids.ts';
import type { Changed, UserView } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { transact } from '#shared/table/client.ts';
import { readUserItem, type User, updateUserEntry, userOf } from '#shared/table/user.ts';
import { laterMoment } from './later-moment.ts';
import { presentUser } from './present-user.ts';
import { recordChange } from './record-change.ts';
import { refuseOtherVersion } from './refuse-other-version.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';
import { userView } from './user-view.ts';

/** What a decision about a user asks to write. */
export interface UserChange {
  readonly action: ChangeAction;
  readonly next: Partial<Pick<User, 'status' | 'displayName' | 'email'>>;
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  readonly reason: string | null;
}

export interface UserCommand {
  readonly userId: UserId;
  /** The versions that the caller has seen; undefined is any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/** The one way to change a user: read, decide, write with its record; again when somebody else was faster. */
export async function changeUser(
  { userId, ifMatch }: UserCommand,
  context: RequestContext,
  decide: (user: User) => UserChange | undefined,
): Promise<Changed<UserView>> {
  return retryWhileMoving(async () => {
    const read = presentUser(userOf(await readUserItem(userId)));
    refuseOtherVersion('user', read.version, ifMatch);
    const change = decide(read);
    if (change === undefined) return { ...userView(read), changed: false };
    const updatedAt = laterMoment(now(), read.updatedAt);
    const user = { ...read, ...change.next, version: read.version + 1, updatedAt };
    const record = recordChange(context, {
      ...change,
      at: updatedAt,
      userId,
      before: { ...change.before, version: read.version },
      after: { ...change.after, version: user.version },
    });
    const outcome = await transact([updateUserEntry(read, user), putChangeEntry(record)]);
    return outcome.kind === 'committed' ? { ...userView(user), changed: true } : 'moved';
  });
}
