import type { ApplicationChange, Change, ChangeSide } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';

/**
 * A change as an application may read it: without what identifies an operator, which is id, issuer, e-mail address and
 * network address, and without the reason of a change that is not the application's own.
 */
export function changeForApplication(change: Change, appId: AppId): ApplicationChange {
  const shown = withoutOperator(change);
  if (change.appId === appId) return shown;
  return { ...shown, before: withoutReason(change.before), after: withoutReason(change.after), reason: null };
}

function withoutOperator(change: Change): ApplicationChange {
  const { caller } = change;
  if (caller.kind === 'api-key') return { ...change, caller };
  const { sourceIp: _, ...others } = change;
  return { ...others, caller: { kind: 'operator' } };
}

function withoutReason(side: ChangeSide | null): ChangeSide | null {
  if (side === null) return null;
  const { reason: _, ...others } = side;
  return others;
}
