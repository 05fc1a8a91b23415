import type { CallRecord } from '#test/simulation/clients.ts';
import type { Run } from '#test/simulation/run-seed.ts';
import { bounds } from '#test/simulation/swarm.ts';
import { directoriesIn } from './directories.ts';
import { type Directory, isUnavailable, type ScimAttempt } from './directory.ts';

/**
 * Checks that a request of a directory is answered 401 once operators know that its token has ended, and not before an operator
 * may have ended it; and that a request that is answered 401 changes nothing.
 */
export function checkDirectoryTokens({ actors, calls, changes }: Run): string[] {
  const directories = directoriesIn({ actors });
  if (directories.length === 0) return [];
  const makers = new Set(changes.map(({ change }) => change.requestId));
  return directories.flatMap((directory) => {
    const lives = new TokenLives(directory, calls);
    return directory.calls.flatMap(({ method, path, attempts }) =>
      attempts.flatMap((attempt) => {
        const wrong = lives.whatIsWrong(attempt, makers);
        return wrong === undefined ? [] : [`${attempt.requestId} ${method} ${path}: ${wrong}`];
      }),
    );
  });
}

/** When a token can have ended, and when it certainly had. */
interface End {
  readonly from: number;
  readonly to: number;
}

interface KeyInput {
  readonly connectionId?: string;
  readonly keyId?: string;
  readonly overlapSeconds?: number;
}

/** The tokens of one directory, by what operators were answered. */
class TokenLives {
  readonly #calls: readonly CallRecord[];

  constructor({ swarm }: Directory, calls: readonly CallRecord[]) {
    this.#calls = calls.filter(({ input }) => (input as KeyInput).connectionId === swarm.connectionId);
  }

  whatIsWrong({ keyId, requestId, sentAt, answeredAt, answer }: ScimAttempt, makers: ReadonlySet<string>) {
    const ends = this.#calls.flatMap((call) => endBy(call, keyId));
    if (answer === undefined || answeredAt === undefined || isUnavailable(answer)) return undefined;
    if (answer.status !== 401) {
      return ends.some(({ to }) => to < sentAt) ? `is answered ${answer.status} after the end of ${keyId}` : undefined;
    }
    if (makers.has(requestId) && ends.some(({ to }) => to < sentAt)) return 'is answered 401, but took effect';
    return ends.some(({ from }) => from <= answeredAt) ? undefined : `is answered 401 although ${keyId} had not ended`;
  }
}

/** The end of a key by one call of an operator; none if that call does not concern it. */
function endBy({ operation, input, outcome, startedAt, endedAt }: CallRecord, keyId: string): End[] {
  const { keyId: named, overlapSeconds = 0 } = input as KeyInput;
  const to = outcome?.kind === 'done' && endedAt !== undefined ? endedAt : Number.POSITIVE_INFINITY;
  if (operation === 'delete-connection') return [{ from: startedAt, to }];
  if (named !== keyId) return [];
  if (operation === 'revoke-connection-key') return [{ from: startedAt, to }];
  if (operation !== 'rotate-connection-key') return [];
  const overlap = overlapSeconds * 1000;
  return [{ from: startedAt + overlap - clocksDiffer, to: to + overlap + clocksDiffer }];
}

/** Two clocks differ by as much, and show whole seconds in some runs. */
const clocksDiffer = 2 * bounds.skewMilliseconds + 1000;
