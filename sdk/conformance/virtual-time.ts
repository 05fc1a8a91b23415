/** The time of a run, in milliseconds since the epoch. */
export interface VirtualTime {
  readonly now: () => number;
  /** Resolves after this many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** The asynchronous functions of WebCrypto that the SDK calls; while one runs, time stands still. */
const cryptoCalls = ['digest', 'sign', 'verify', 'importKey'] as const;

/**
 * Runs the SDK by a clock that jumps to the next timer as soon as nothing else is left to do, with a random source that always
 * returns `random`. Replaces the globals of the process until it ends, so that only one run is possible at a time.
 */
export async function runInVirtualTime<Result>(
  { start, random }: { readonly start: number; readonly random: number },
  run: (time: VirtualTime) => Promise<Result>,
): Promise<Result> {
  const immediately = setImmediate;
  const timers = new Map<number, Timer>();
  let [now, made, underWay] = [start, 0, 0];
  const restore = [
    replace(globalThis, 'setTimeout', (callback: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) => {
      timers.set(++made, { at: now + Math.max(0, delay), run: () => callback(...given) });
      return made;
    }),
    replace(globalThis, 'clearTimeout', (timer: number) => timers.delete(timer)),
    replace(Date, 'now', () => now),
    replace(performance, 'now', () => now - start),
    replace(Math, 'random', () => random),
    ...cryptoCalls.map((name) => {
      const real = (crypto.subtle[name] as (...given: unknown[]) => Promise<unknown>).bind(crypto.subtle);
      return replace(crypto.subtle, name, (...given: unknown[]) => {
        underWay++;
        return real(...given).finally(() => underWay--);
      });
    }),
  ];

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10 || underWay > 0; turn++) await new Promise<void>((resolve) => immediately(resolve));
  }

  let isDone = false;
  try {
    const running = run({
      now: () => now,
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    }).finally(() => {
      isDone = true;
    });
    // Reported by `await running`.
    running.catch(() => {});
    for (await settle(); !isDone; await settle()) {
      const [next] = [...timers].sort(([one, { at }], [other, { at: otherAt }]) => at - otherAt || one - other);
      if (next === undefined) throw new Error('The run waits for something that never happens');
      const [id, timer] = next;
      timers.delete(id);
      now = Math.max(now, timer.at);
      timer.run();
    }
    return await running;
  } finally {
    for (const undo of restore) undo();
  }
}

/** Replaces a member of a global object; returns how to undo it. */
function replace(owner: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(owner, name, own);
    else Reflect.deleteProperty(owner, name);
  };
}
