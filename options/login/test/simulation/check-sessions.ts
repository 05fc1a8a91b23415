import { Histories } from '#test/simulation/invariants/histories.ts';
import type { Run } from '#test/simulation/run-seed.ts';
import { accessKey, accessOf } from '#test/simulation/stored-state.ts';
import { loginsOf } from './check-logins.ts';
import type { TokenRequest } from './login-world.ts';
import { accountIn, clientIn, keyOfApplication, keyOfUser, loginIn } from './stored-logins.ts';

/** Nobody gets tokens who, at each instant of the request, was inactive, blocked, erased or without an account, or whose application had no login. */
export function checkTokens(run: Run): string[] {
  const histories = new Histories(run.commits);
  const applicationOf = applicationsOf(run);
  return loginsOf(run).flatMap(({ tokens }) =>
    tokens
      .filter(({ isGiven }) => isGiven)
      .filter((token) => !couldEnter(token, applicationOf.get(token.clientId) ?? '', histories))
      .map(
        ({ userId, clientId, sentAt }) => `${userId} got tokens of ${clientId} at ${new Date(sentAt).toISOString()}`,
      ),
  );
}

/** The application of each client that the table has ever recorded. */
function applicationsOf({ commits }: Run): ReadonlyMap<string, string> {
  const recorded = commits.flatMap(({ mutations }) =>
    mutations.flatMap(({ after }) => (after && clientIn(after)) ?? []),
  );
  return new Map(recorded.map(({ appId, clientId }) => [clientId ?? '', appId]));
}

function couldEnter(
  { userId, createdAt, sentAt, answeredAt }: TokenRequest,
  appId: string,
  histories: Histories,
): boolean {
  const keys = [keyOfUser(userId), keyOfApplication(appId), accessKey(userId, appId)];
  return histories.together(keys, sentAt, answeredAt).some(([user, application, access]) => {
    const account = accountIn(user);
    const isBlocked = access !== undefined && accessOf(access).status === 'disabled' && accessOf(access).until === null;
    return (
      account?.isActive === true && account.createdAt === createdAt && loginIn(application) !== undefined && !isBlocked
    );
  });
}

/**
 * In the end the sessions of an account have ended after each time when its user became inactive, or was signed out; and an account
 * that was deleted is not the one that the user got afterwards.
 */
export function checkSessions(run: Run): string[] {
  return loginsOf(run).flatMap(({ simulated }) =>
    [...simulated.pool.users.values()].flatMap(({ sub, attributes }) => {
      const userId = String(attributes['custom:user_id']);
      const madeAt = simulated.createdAt(sub);
      const ended = Math.max(0, ...simulated.signOuts.filter((each) => each.sub === sub).map(({ at }) => at));
      const of = (isMeant: (action: string, after: Readonly<Record<string, unknown>>) => boolean) =>
        run.changes.filter(({ change }) => change.userId === userId && isMeant(change.action, change.after ?? {}));
      const orders = of((action, { status }) => status === 'inactive' || action === 'user.signed.out');
      const deletions = of((action) => action === 'user.account.deleted' || action === 'user.deleted');
      return [
        ...(orders.some(({ at }) => at > madeAt && at > ended) ? [`${userId} still has sessions`] : []),
        ...(deletions.some(({ at }) => at > madeAt) ? [`${userId} has the account that was deleted`] : []),
      ];
    }),
  );
}
