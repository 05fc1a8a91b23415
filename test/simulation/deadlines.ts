import { AsyncLocalStorage } from 'node:async_hooks';

/** A request that a process is handling. */
interface Served {
  readonly requestId: string;
  /** By the clock of the process, in milliseconds since the epoch. */
  readonly endsAt: number;
  isAnswered: boolean;
}

const current = new AsyncLocalStorage<Served>();

/** Serves a request, which may not send anything after this time or after its response. */
export async function serve<T>(request: Omit<Served, 'isAnswered'>, run: () => Promise<T>): Promise<T> {
  const served = { ...request, isAnswered: false };
  try {
    return await current.run(served, run);
  } finally {
    served.isAnswered = true;
  }
}

/** Why the current request may no longer send anything; undefined if it may. */
export function whyTooLate(): string | undefined {
  const { requestId, endsAt, isAnswered } = current.getStore() ?? {};
  if (isAnswered) return `${requestId} sends after its answer`;
  const late = Date.now() - (endsAt ?? Number.POSITIVE_INFINITY);
  return late >= 0 ? `${requestId} sends ${Math.round(late)} ms after its time` : undefined;
}
