import type { ChangedAccess } from '#shared/contract/access.ts';
import type { AppId, UserId } from '#shared/contract/ids.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { updateAccessEntry } from '#shared/table/access.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { transact } from '#shared/table/client.ts';
import { type CurrentAccess, readCurrentAccess } from '#shared/table/current-access.ts';
import { type SpentNonce, spendNonce, spendNonceEntry, spentNonceOf } from '#shared/table/nonce.ts';
import { userStillThereEntry } from '#shared/table/user.ts';
import type { AccessCommand, AccessRule } from './access-change.ts';
import { authorizeCaller } from './authorize-caller.ts';
import { decideAccess } from './decide-access.ts';
import { judgeAccessChange, type Verdict } from './judge-access-change.ts';
import { laterMoment } from './later-moment.ts';
import { noteKeyUse } from './note-key-use.ts';
import { presentUser } from './present-user.ts';
import { recordChange } from './record-change.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';

/**
 * The one way to change an access: read, decide, write all or nothing. Two requests to the table; more only when
 * somebody else wrote in between, up to four times anew.
 */
export async function changeAccess(
  command: AccessCommand,
  context: RequestContext,
  rule: AccessRule,
): Promise<ChangedAccess> {
  return retryWhileMoving(() => changeOnce(command, context, rule));
}

async function changeOnce(command: AccessCommand, context: RequestContext, rule: AccessRule) {
  const current = await readCurrentAccess({ ...command, definedRole: rule.definedRole });
  const at = now();
  const authorized = authorizeCaller(context, current.application, at);
  await noteKeyUse(context);
  const verdict = judgeAccessChange({ command, rule, current, authorized, at });
  if (verdict.kind !== 'change') return settle(verdict, command, context);
  return write(verdict, current, context, at);
}

/** Spends the nonce of a write that changes nothing too: else its replay could take effect once the user or role exists. */
async function settle(verdict: Exclude<Verdict, { kind: 'change' }>, command: AccessCommand, context: RequestContext) {
  const { nonce, requestId } = context;
  const spent = nonce && (await spendNonce(nonce, { requestId, outcome: verdict.kind }));
  if (spent !== undefined && refuseReplay(spent, context).outcome === 'changed') return answerAnew(command);
  if (verdict.kind === 'refused') throw verdict.refusal;
  return verdict.answer;
}

async function write(
  { user, change }: Verdict & { kind: 'change' },
  current: CurrentAccess,
  context: RequestContext,
  at: Date,
) {
  const { access } = current;
  const updatedAt = laterMoment(at, access.updatedAt);
  const next = { ...change.next, version: access.version + 1, updatedAt };
  const record = recordChange(context, {
    ...change,
    userId: access.userId,
    appId: access.appId,
    at: updatedAt,
    before: { ...change.before, version: access.version },
    after: { ...change.after, version: next.version },
  });
  const outcome = await transact([
    ...(context.nonce ? [spendNonceEntry(context.nonce, { requestId: context.requestId, outcome: 'changed' })] : []),
    updateAccessEntry(access, next),
    userStillThereEntry(user),
    ...(change.members ?? []),
    putChangeEntry(record),
  ]);
  if (outcome.kind === 'committed') return { ...decideAccess(user, next, at), changed: true };
  const spent = context.nonce && outcome.kind === 'refused' ? outcome.failed.get(0) : undefined;
  // Anything else that stood in the way, a newer version or a user being erased, has moved since the read.
  if (spent === undefined) return 'moved';
  refuseReplay(spentNonceOf(spent), context);
  return answerAnew(current.access);
}

/** A nonce spent by another request is a replay; one spent by this very request says that it has taken effect already. */
function refuseReplay(spent: SpentNonce, { requestId }: RequestContext): SpentNonce {
  if (spent.requestId === requestId) return spent;
  throw new ServiceError('nonce_replayed', {
    detail: 'This nonce was used before. Sign the request again with a new nonce; every operation can be repeated.',
  });
}

async function answerAnew(subject: { readonly userId: UserId; readonly appId: AppId }): Promise<ChangedAccess> {
  const { user, access } = await readCurrentAccess({ userId: subject.userId, appId: subject.appId });
  return { ...decideAccess(presentUser(user), access, now()), changed: true };
}
