import type { ChangedAccess } from '#shared/contract/access.ts';
import type { RoleName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';
import {
  type AccessSubject,
  type CurrentAccess,
  readCurrentAccess,
  updateAccessEntry,
} from '#shared/table/items/access-item.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { type SpentNonce, spendNonce, spendNonceEntry, spentNonceOf } from '#shared/table/items/nonce-item.ts';
import { deleteMemberEntry, putMemberEntry } from '#shared/table/items/role-item.ts';
import { requireSameUserEntry, requireUser } from '#shared/table/items/user-item.ts';
import { authorizeCaller, recordKeyUsage } from '../api-key/authorize-caller.ts';
import { buildChange } from '../request/build-change.ts';
import { monotonicTimestamp, retryOnConflict } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';
import { decideAccess } from './decide-access.ts';
import type { AccessChange } from './decide-access-change.ts';
import { type AccessCommand, type AccessRule, type Evaluation, evaluateChange } from './evaluate-change.ts';

/**
 * The one way to change an access: read, decide, write all or nothing. Two requests to the table; more only when
 * somebody else wrote in between, with up to four retries.
 */
export async function changeAccess(
  command: AccessCommand,
  context: RequestContext,
  rule: AccessRule,
): Promise<ChangedAccess> {
  return retryOnConflict(() => changeOnce(command, context, rule));
}

async function changeOnce(command: AccessCommand, context: RequestContext, rule: AccessRule) {
  const current = await readCurrentAccess({ ...command, also: rule.also });
  const at = now();
  const authorized = authorizeCaller(context, current.application, at);
  await recordKeyUsage(context);
  const evaluation = evaluateChange({ command, rule, current, authorized, context, at });
  if (evaluation.kind !== 'change') return spendNonceOnly(evaluation, command, context);
  return write(evaluation, current, context, at);
}

/** Spends the nonce of a write that changes nothing too: else its replay could take effect once the user or role exists. */
async function spendNonceOnly(
  evaluation: Exclude<Evaluation, { kind: 'change' }>,
  subject: AccessSubject,
  { nonce, requestId }: RequestContext,
): Promise<ChangedAccess> {
  const spent = nonce && (await spendNonce(nonce, { requestId, outcome: evaluation.kind }));
  if (spent !== undefined && requireOwnNonce(spent, requestId).outcome === 'changed') return answerAgain(subject);
  if (evaluation.kind === 'refused') throw evaluation.refusal;
  return evaluation.answer;
}

async function write(
  { user, change }: Evaluation & { kind: 'change' },
  { access }: CurrentAccess,
  context: RequestContext,
  at: Date,
): Promise<ChangedAccess | 'conflict'> {
  const { nonce, requestId } = context;
  const updatedAt = monotonicTimestamp(at, access.updatedAt);
  const next = { ...change.next, version: access.version + 1, updatedAt };
  const record = buildChange(context, {
    ...change,
    userId: access.userId,
    appId: access.appId,
    at: updatedAt,
    before: { ...change.before, version: access.version },
    after: { ...change.after, version: next.version },
  });
  const outcome = await transact([
    ...(nonce ? [spendNonceEntry(nonce, { requestId, outcome: 'changed' })] : []),
    updateAccessEntry(access, next),
    requireSameUserEntry(user),
    ...memberEntries(access, change),
    putChangeEntry(record),
  ]);
  if (outcome.kind === 'committed') return { ...decideAccess(user, next, at), changed: true };
  const spent = nonce && outcome.kind === 'refused' ? outcome.failed.get(0) : undefined;
  // Any other condition that failed, a newer version or a user being erased, has changed since the read.
  if (spent === undefined) return 'conflict';
  requireOwnNonce(spentNonceOf(spent), requestId);
  return answerAgain(access);
}

/** The entries of a role's list of members for the grants that begin, change or end. */
function memberEntries({ appId, userId }: AccessSubject, { granted = {}, ended = [] }: AccessChange): TransactEntry[] {
  return [
    ...Object.entries(granted).map(([role, { expiresAt }]) =>
      putMemberEntry(appId, role as RoleName, { userId, expiresAt }),
    ),
    ...ended.map((role) => deleteMemberEntry(appId, role as RoleName, userId)),
  ];
}

/** A nonce spent by another request is a replay; one spent by this very request says that it has taken effect already. */
function requireOwnNonce(spent: SpentNonce, requestId: string): SpentNonce {
  if (spent.requestId === requestId) return spent;
  throw new ServiceError('nonce_replayed', {
    detail: 'This nonce was used before. Sign the request again with a new nonce; every operation can be repeated.',
  });
}

async function answerAgain({ userId, appId }: AccessSubject): Promise<ChangedAccess> {
  const { user, access } = await readCurrentAccess({ userId, appId });
  return { ...decideAccess(requireUser(user), access, now()), changed: true };
}
