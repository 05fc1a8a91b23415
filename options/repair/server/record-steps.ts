import type { Change, ChangeAction, RecordedState } from '#shared/contract/change.ts';
import { buildChange } from '#shared/domain/request/build-change.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';

/** One difference between a state and the Changes that are there. */
export interface Step {
  readonly action: ChangeAction;
  readonly role?: string;
  readonly keyId?: string;
  readonly webhookId?: string;
  readonly before: RecordedState | null;
  /** `null` for a deletion. */
  readonly after: RecordedState | null;
}

/** What a repair records of one state: at least one step. */
export type Steps = readonly [Step, ...Step[]];

/** The steps that were found, or else this one: a state whose Change was lost is recorded even if nothing else differs. */
export function stepsOr(otherwise: Step, found: readonly Step[]): Steps {
  const [first = otherwise, ...others] = found;
  return [first, ...others];
}

export interface Recording {
  /** Whose Changes they are. */
  readonly subject: {
    readonly userId?: string;
    readonly appId?: string;
    readonly connectionId?: string;
    readonly role?: string;
  };
  /** The newest Change that is there; undefined if there is none. */
  readonly last: Change | undefined;
  /** The version of the state. */
  readonly version: number;
  /** From `monotonicTimestamp`. */
  readonly at: string;
  readonly context: RequestContext;
  readonly key: ChainKey;
}

/**
 * The Changes that record a state whose own were lost, linked to the newest one that is there. In an archive
 * that has the lost ones, two follow the same one. They keep the state's version if as many Changes were lost as it differs in.
 */
export function recordSteps(steps: Steps, recording: Recording): readonly [Change, ...Change[]] {
  const { subject, last, version, at, context, key } = recording;
  const known = last?.after?.version ?? (last?.before?.version ?? -1) + 1;
  const from = Math.max(known, version - steps.length);
  let previous = last?.integrity.mac ?? null;
  const record = ({ before, after, ...step }: Step, n: number) => {
    const change = buildChange(context, key, {
      ...subject,
      ...step,
      // The ids of one transaction rise too.
      at: new Date(Date.parse(at) + n).toISOString(),
      before: before && { ...before, version: from + n },
      after: after && { ...after, version: from + n + 1 },
      reason: 'Repair: the change that led to this state was lost.',
      previous,
    });
    previous = change.integrity.mac;
    return change;
  };
  const [first, ...others] = steps;
  return [record(first, 0), ...others.map((step, n) => record(step, n + 1))];
}
