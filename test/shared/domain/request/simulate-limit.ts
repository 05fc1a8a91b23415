import { RequestMeter } from '#shared/domain/request/request-limit.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

export interface LimitScenario {
  /** Requests per second; `null` means no limit. */
  readonly limit: number | null;
  /** The total number of requests sent per second, by second. */
  readonly loadAt: (second: number) => number;
  readonly processes: number;
  readonly seconds: number;
  readonly seed: number;
}

export interface LimitOutcome {
  /** Admitted requests, by window of five seconds. */
  readonly admitted: readonly number[];
  readonly sent: readonly number[];
  /** Settlements, each one write, by window. */
  readonly settlements: readonly number[];
}

const windowSeconds = 5;
const tick = 0.01;

/** Simulates processes that receive random requests and settle over one pair of totals, in virtual time. */
export function simulateLimit({ limit, loadAt, processes, seconds, seed }: LimitScenario): LimitOutcome {
  const random = seededRandom(seed);
  const meters = new Map<number, RequestMeter>();
  const totals = { requests: 0, restingRequests: 0 };
  const windows = Math.ceil(seconds / windowSeconds);
  const [admitted, sent, settlements] = Array.from({ length: 3 }, () => new Array<number>(windows).fill(0));
  const add = (counts: number[] | undefined, window: number) => counts?.splice(window, 1, (counts[window] ?? 0) + 1);
  for (let step = 0; step * tick < seconds; step++) {
    const [time, window] = [step * tick, Math.floor((step * tick) / windowSeconds)];
    const at = 1_700_000_000_000 + time * 1000;
    for (let left = poisson(loadAt(time) * tick, random); left > 0; left--) {
      const index = Math.floor(random() * processes);
      const meter = meters.get(index) ?? new RequestMeter(at, random());
      meters.set(index, meter);
      add(sent, window);
      if (meter.admits(at, random())) {
        add(admitted, window);
        // An admitted request reads the application.
        meter.limit = limit;
      }
      const settlement = meter.due(at);
      if (settlement === undefined) continue;
      add(settlements, window);
      totals.requests += settlement.requests;
      totals.restingRequests += settlement.restingRequests;
      meter.learn(totals, at);
    }
  }
  return { admitted: admitted ?? [], sent: sent ?? [], settlements: settlements ?? [] };
}

/** Knuth's; the means here are small. */
function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}
