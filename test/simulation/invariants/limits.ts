import type { AttemptRecord, CallRecord } from '../clients.ts';
import type { Run } from '../run-seed.ts';
import { applicationKey } from '../stored-state.ts';

/** How long a load that was measured counts: a minute without a settlement, and the windows before. */
const rememberedMilliseconds = 100_000;
/** The length of a window, and how long its requests may have waited to be counted. */
const windowMilliseconds = 5000;

/**
 * Checks that an application is refused with 429 only if it has exceeded its limit shortly before, and that whoever waits and
 * repeats is not refused for ever.
 */
export function checkLimits(run: Run): string[] {
  const apps = new Set(run.calls.flatMap(({ key }) => (key === undefined ? [] : [key.appId])));
  return [...apps].flatMap((appId) => {
    const calls = run.calls.filter(({ key }) => key?.appId === appId);
    const requests = calls.flatMap(({ attempts, replays }): AttemptRecord[] => [...attempts, ...replays]);
    const refused = requests.filter(isLimited);
    if (refused.length === 0) return [];
    const limit = limitsOf(appId, run);
    const exceeded = timesAbove(requests, limit, run.swarm?.clockStepMilliseconds ?? 1);
    const isJustified = (request: AttemptRecord) => {
      const { sentAt, answeredAt = sentAt } = request;
      return (
        exceeded.some((at) => at <= answeredAt && at >= sentAt - rememberedMilliseconds) ||
        isBurst(requests, answeredAt, { limit, jumpMilliseconds: jumpOf(run) })
      );
    };
    return [
      ...refused.filter((request) => !isJustified(request)).map(({ requestId }) => `${requestId} was below the limit`),
      ...calls.filter(isGivenUp).map(({ id, operation }) => `${id} ${operation} was refused in every attempt`),
    ];
  });
}

function isLimited({ answer }: AttemptRecord): boolean {
  return answer?.kind === 'refused' && answer.code === 'too_many_requests';
}

function isGivenUp({ outcome }: CallRecord): boolean {
  return outcome?.kind === 'refused' && outcome.code === 'too_many_requests';
}

/** The lowest limit that the application ever had; a process may know it for longer than it is stored. */
function limitsOf(appId: string, { commits }: Run): number {
  const { pk, sk } = applicationKey(appId);
  const limits = commits.flatMap(({ mutations }) =>
    mutations.flatMap((one) => (one.pk === pk && one.sk === sk ? (one.after?.requestsPerSecond ?? []) : [])),
  );
  return Math.min(Number.POSITIVE_INFINITY, ...limits.map(Number));
}

/** A copy of the code serves several processes one after the other, so that its clock can jump between theirs. */
function jumpOf({ swarm }: Run): number {
  return 2 * Math.max(swarm?.skewMilliseconds ?? 0, swarm?.clockErrorMilliseconds ?? 0);
}

interface Measured {
  readonly limit: number;
  readonly jumpMilliseconds: number;
}

/** Whether a process may have counted more than the limit by then: requests that are delayed arrive together. */
function isBurst(requests: readonly AttemptRecord[], at: number, { limit, jumpMilliseconds }: Measured): boolean {
  const sent = requests.filter(({ sentAt }) => sentAt <= at);
  const windows = sent.map(({ answeredAt = at }) => Math.min(rememberedMilliseconds, at - answeredAt));
  return [0, ...windows].some((passed) => {
    const count = sent.filter(({ answeredAt = at }) => answeredAt >= at - passed).length;
    return (count / Math.max(1000, passed - jumpMilliseconds)) * 1000 > limit;
  });
}

/** When the requests since an earlier one were above the limit, as a process measures its own, or as it reads those of all. */
function timesAbove(requests: readonly AttemptRecord[], limit: number, clockStep: number): number[] {
  const times = requests.map(({ sentAt }) => sentAt).sort((one, other) => one - other);
  return times.filter((at, last) => {
    for (let first = last; first >= 0; first--) {
      const passed = at - (times[first] ?? 0) - (clockStep - 1);
      if (passed > rememberedMilliseconds) return false;
      const count = last - first + 1;
      const own = count / Math.max(1000, passed);
      const settled = count / Math.max(windowMilliseconds, passed - 2 * windowMilliseconds);
      if (Math.max(own, settled) * 1000 > limit) return true;
    }
    return false;
  });
}
