import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { seededRandom } from '../support/seeded-random.ts';

/** A Lambda environment or a client: it has its own clock and can be frozen. */
export interface Process {
  readonly name: string;
  /** Added to the true time by this process's clock. */
  readonly skewMilliseconds: number;
  frozen: boolean;
  /** Whether it has ended and never runs again. */
  ended: boolean;
  /** The tasks that became due while it was frozen, in order. */
  held: Task[];
  /** A digest of all responses to it, if recorded. */
  learned?: string;
  /** How many random numbers it has drawn, if counted. */
  drawn?: number;
}

/** Creates a process. */
export function newProcess(name: string, skewMilliseconds: number): Process {
  return { name, skewMilliseconds: Math.round(skewMilliseconds), frozen: false, ended: false, held: [] };
}

/** A task due at a time: in a process, or without one at the table or on the network. */
export interface Task {
  at: number;
  order: number;
  readonly process: Process | undefined;
  readonly run: () => void;
  /** A description, if its time and process do not identify it. */
  readonly label: string;
  cancelled: boolean;
}

const firstInstant = Date.UTC(2026, 10, 22, 12);
const immediately = setImmediate;
const processes = new AsyncLocalStorage<Process>();

/** The time, randomness and pending tasks of one simulated run. */
export class World {
  /** Whole milliseconds since the epoch: the product's clocks have no finer resolution. */
  time = firstInstant;
  random: () => number;
  /** All clocks show only multiples of this. */
  clockStepMilliseconds = 1;
  /** Chooses the next pending task by its position. Default: the first one due. */
  choose: ((pending: readonly Task[]) => number) | undefined;
  #pending: Task[] = [];
  #order = 0;
  #executed = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** How many tasks have run. */
  get executed(): number {
    return this.#executed;
  }

  schedule(delayMilliseconds: number, run: () => void, process?: Process, label = ''): Task {
    const at = this.time + Math.max(0, Math.round(delayMilliseconds));
    const task: Task = { at, order: this.#order++, process, run, label, cancelled: false };
    this.#insert(task);
    return task;
  }

  /** Holds back everything of the process from now on. */
  freeze(process: Process): void {
    process.frozen = true;
  }

  /** Runs what was held back now, in the order in which it was due. */
  thaw(process: Process): void {
    process.frozen = false;
    const { held } = process;
    process.held = [];
    for (const task of held) this.#insert(Object.assign(task, { at: this.time, order: this.#order++ }));
  }

  end(process: Process): void {
    process.ended = true;
    process.held = [];
  }

  /** Runs tasks until none is left, the condition holds, or the limit is reached. */
  async run(until: () => boolean = () => false, maxTasks = 200_000): Promise<void> {
    await drain();
    for (const last = this.#executed + maxTasks; !until(); ) {
      const task = this.#next();
      if (task === undefined) return;
      if (this.#executed >= last) throw new Error('The run does not end');
      this.#executed++;
      task.run();
      await drain();
    }
  }

  #next(): Task | undefined {
    for (;;) {
      if (this.choose) this.#pending = this.#pending.filter((task) => !task.cancelled && !task.process?.ended);
      const position = this.choose?.(this.#pending) ?? 0;
      const [task] = this.#pending.splice(position, 1);
      if (task === undefined) return undefined;
      if (task.cancelled || task.process?.ended) continue;
      this.time = Math.max(this.time, task.at);
      if (!task.process?.frozen) return task;
      task.process.held.push(task);
    }
  }

  #insert(task: Task): void {
    let position = this.#pending.length;
    while (position > 0 && isLater(this.#pending[position - 1], task)) position--;
    this.#pending.splice(position, 0, task);
  }
}

function isLater(one: Task | undefined, other: Task): boolean {
  return one !== undefined && (one.at > other.at || (one.at === other.at && one.order > other.order));
}

/** Waits until every promise that can continue has continued. */
function drain(): Promise<void> {
  return new Promise((resolve) => immediately(resolve));
}

let world: World | undefined;

/** Sets the world that the replaced globals use. */
export function enterWorld(entered: World): void {
  world = entered;
}

/** Runs a function as a process, with the clock, timers and randomness of the world. */
export function runIn<T>(process: Process, run: () => T): T {
  return processes.run(process, run);
}

/** Returns the current process. */
export function currentProcess(): Process | undefined {
  return processes.getStore();
}

/** Returns the process and its world; throws outside a process. */
export function here(): { readonly world: World; readonly process: Process } {
  const process = processes.getStore();
  if (process === undefined || world === undefined) throw new Error('Only inside a simulated process');
  return { world, process };
}

/** Resolves after this many virtual milliseconds, unless the process is frozen. */
export function wait(milliseconds: number): Promise<void> {
  const { world: within, process } = here();
  return new Promise((resolve) => within.schedule(milliseconds, resolve, process));
}

class VirtualTimeout {
  readonly task: Task;
  constructor(task: Task) {
    this.task = task;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

/**
 * Replaces time, timers and randomness, for code that runs in a simulated process; all other code keeps the real ones.
 * Call it before the first import of simulated code, because modules keep what they import.
 */
export function installVirtualTime(): void {
  if ('virtual' in globalThis.Date) return;
  replaceDate();
  replaceTimers();
  replaceRandomness();
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}

function replaceDate(): void {
  const RealDate = globalThis.Date;
  const present = () => {
    const process = processes.getStore();
    if (process === undefined || world === undefined) return RealDate.now();
    const { time, clockStepMilliseconds: step } = world;
    return Math.floor((time + process.skewMilliseconds) / step) * step;
  };
  class VirtualDate extends RealDate {
    static readonly virtual = true;
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [present()] : given) as [number]));
    }
    static override now(): number {
      return present();
    }
  }
  globalThis.Date = VirtualDate as unknown as DateConstructor;
}

function replaceTimers(): void {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const virtualTimeout = (callback: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) => {
    const process = processes.getStore();
    if (process === undefined || world === undefined) return real.setTimeout(callback, milliseconds, ...given);
    const run = AsyncResource.bind(() => callback(...given));
    return new VirtualTimeout(world.schedule(Math.max(1, milliseconds), run, process));
  };
  const virtualClear = (handle: unknown) => {
    if (handle instanceof VirtualTimeout) handle.task.cancelled = true;
    else real.clearTimeout(handle as NodeJS.Timeout);
  };
  globalThis.setTimeout = virtualTimeout as unknown as typeof setTimeout;
  globalThis.clearTimeout = virtualClear as typeof clearTimeout;
  // Middy imports them.
  const timers = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  Object.assign(process.getBuiltinModule('node:timers'), timers);
  globalThis.setInterval = refuseInterval(globalThis.setInterval);
  const realAbort = AbortSignal.timeout;
  AbortSignal.timeout = (milliseconds) => {
    if (processes.getStore() === undefined) return realAbort(milliseconds);
    const controller = new AbortController();
    globalThis.setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), milliseconds);
    return controller.signal;
  };
  const realPerformanceNow = performance.now.bind(performance);
  performance.now = () => (processes.getStore() === undefined ? realPerformanceNow() : Date.now() - firstInstant);
}

/** Simulated code uses no intervals. */
function refuseInterval(real: typeof setInterval): typeof setInterval {
  const refusing = (...given: Parameters<typeof setInterval>) => {
    if (processes.getStore() !== undefined) throw new Error('setInterval is not simulated');
    return real(...given);
  };
  return refusing as typeof setInterval;
}

function replaceRandomness(): void {
  // An import would keep the current functions.
  const crypto = process.getBuiltinModule('node:crypto');
  const real = {
    random: Math.random,
    bytes: crypto.randomBytes,
    int: crypto.randomInt as (...given: unknown[]) => number,
    uuid: crypto.randomUUID,
  };
  const chance = () => (processes.getStore() === undefined ? undefined : world?.random);
  const fill = (bytes: Buffer, random: () => number) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
    return bytes;
  };
  Math.random = () => (chance() ?? real.random)();
  const virtualBytes = (size: number) => {
    const random = chance();
    return random === undefined ? real.bytes(size) : fill(Buffer.alloc(size), random);
  };
  const virtualInt = (...given: unknown[]) => {
    const random = chance();
    if (random === undefined) return real.int(...given);
    const [least, limit] = given.length === 1 ? [0, Number(given[0])] : [Number(given[0]), Number(given[1])];
    return least + Math.floor(random() * (limit - least));
  };
  const virtualUuid = () => {
    const random = chance();
    if (random === undefined) return real.uuid();
    const hex = fill(Buffer.alloc(16), random).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.assign(crypto, { randomBytes: virtualBytes, randomInt: virtualInt, randomUUID: virtualUuid });
}
