import type { Context } from 'aws-lambda';
import { now, runUntil } from '#shared/core/clock.ts';
import { canaryId } from '../canary-config.ts';
import { type CanaryKey, canaryKey } from '../canary-key.ts';

/** Returns the canary's key, only to the canary; takes no input. */
export function handler(_: unknown, context: Context): Promise<CanaryKey> {
  const { awsRequestId: requestId, invokedFunctionArn: id } = context;
  const caller = { kind: 'operator', via: 'iam', id, role: 'admin' } as const;
  const endsAt = now().getTime() + context.getRemainingTimeInMillis() - 1000;
  return runUntil(endsAt, () => canaryKey(canaryId(), { caller, requestId, sourceIp: '127.0.0.1' }));
}
