import type { Context } from 'aws-lambda';
import { sendToFunction } from '#shared/core/call-aws.ts';
import { now } from '#shared/core/clock.ts';
import { type HeadsProgress, newHeadsRun, signAllHeads } from '../heads-run.ts';

/** Enough to store a part and to hand over the rest. */
const reserveMilliseconds = 120_000;

/** Invoked by EventBridge once a day, and by this function itself, with its progress, if a run takes longer than an invocation. */
export async function handler({ progress }: { readonly progress?: HeadsProgress }, context: Context): Promise<void> {
  const endsAt = now().getTime() + context.getRemainingTimeInMillis() - reserveMilliseconds;
  const left = await signAllHeads(progress ?? newHeadsRun(), { endsAt });
  if (left !== undefined) await sendToFunction(context.invokedFunctionArn, { progress: left });
}
