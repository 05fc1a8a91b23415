import type { Code } from './load-code.ts';
import type { Answer, Received } from './operations.ts';
import { newProcess, type Process, runIn, type World } from './virtual-time.ts';

/** The functions of the service: each has processes of its own. */
export type FunctionName = 'service' | 'manage' | StreamReaderName;

/** A function of an option, with its timeout. */
export interface OptionFunction {
  readonly name: string;
  readonly milliseconds: number;
}

/** The functions that read the table's stream. */
export type StreamReaderName = 'publisher' | 'numberer';

/**
 * When the HTTP layer answers 503, half a second before Lambda's own timeout (`shared/http/middleware/endpoint.ts`).
 */
const timeoutMilliseconds: Readonly<Record<FunctionName, number>> = {
  service: 11_500,
  manage: 28_500,
  publisher: 60_000,
  numberer: 60_000,
};

interface Environment extends Process {
  readonly code: Code;
  readonly slot: number;
  readonly runs: string;
  busy: boolean;
}

export interface ProcessOptions {
  readonly codes: readonly Code[];
  /** The maximum clock skew of a process, in either direction. */
  readonly skewMilliseconds: number;
  /** The probability that a process is not reused after a response. */
  readonly recycled: number;
  /** The probability that a process ends during a request. */
  readonly crashed: number;
  /** The probability that a process stalls during a request. */
  readonly stalled: number;
  readonly stallMilliseconds: number;
}

/** Processes without faults. */
export const calmProcesses = { skewMilliseconds: 0, recycled: 0, crashed: 0, stalled: 0, stallMilliseconds: 0 };

/** Lambda ends a process that has not answered this long after the HTTP layer should have. */
const lambdaMilliseconds = 500;

/** The Lambda environments of a run: each has one request at a time and is frozen as soon as it has answered. */
export class Processes {
  options: ProcessOptions;
  readonly #world: World;
  readonly #environments: Environment[] = [];
  #started = 0;
  #invocations = 0;

  constructor(world: World, options: ProcessOptions) {
    this.#world = world;
    this.options = options;
  }

  /** Answers at the function's timeout at the latest; unfinished work continues when the process is next used. */
  receive(runs: FunctionName, request: Omit<Received, 'milliseconds'>, answer: (answer: Answer) => void): void {
    const milliseconds = timeoutMilliseconds[runs];
    this.#run(runs, (code) => code.receive({ ...request, milliseconds }), timedOut, answer);
  }

  /** The same for a request to an endpoint of an option; `late` is the answer if it takes too long. */
  receiveAt<Reply extends object>(
    endpoint: OptionFunction,
    request: object,
    { late, answer }: { readonly late: () => Reply; readonly answer: (reply: Reply) => void },
  ): void {
    const { name, milliseconds } = endpoint;
    const work = (code: Code) => code.receiveAt(name, { ...request, milliseconds }) as Promise<Reply>;
    this.#run(endpoint, work, late, answer);
  }

  /** Runs a reader of the stream, which fails on timeout. */
  read(reader: StreamReaderName, records: readonly object[], answer: (from: string | undefined | Error) => void): void {
    const late = () => new Error(`The ${reader} timed out`);
    const work = (code: Code) => code.streamReaders[reader](records).catch(toError);
    this.#run<string | undefined | Error>(reader, work, late, answer);
  }

  /** Runs a function of an option, which fails on timeout. */
  invoke(invoked: OptionFunction, event: object, answer: (error: Error | undefined) => void): void {
    const { name, milliseconds } = invoked;
    const late = () => new Error(`${name} timed out`);
    const requestId = `${name}-${++this.#invocations}`;
    const work = (code: Code) => code.runFunction(name, event, requestId, milliseconds).then(() => undefined, toError);
    this.#run<Error | undefined>(invoked, work, late, answer);
  }

  /** Uses every process once more, so that unfinished work completes. */
  thawAll(): void {
    for (const environment of this.#environments) if (environment.frozen) this.#world.thaw(environment);
  }

  /** Ends every process, whatever it is doing. */
  endAll(): void {
    for (const environment of this.#environments) this.#world.end(environment);
  }

  #run<T>(
    invoked: FunctionName | OptionFunction,
    work: (code: Code) => Promise<T>,
    late: () => T,
    answer: (result: T) => void,
  ): void {
    const { name: runs, milliseconds } =
      typeof invoked === 'string' ? { name: invoked, milliseconds: timeoutMilliseconds[invoked] } : invoked;
    const environment = this.#take(runs);
    let isAnswered = false;
    const settle = (result: T) => {
      if (isAnswered) return;
      isAnswered = true;
      timeout.cancelled = true;
      environment.busy = false;
      this.#world.freeze(environment);
      if (this.#world.random() < this.options.recycled) this.#world.end(environment);
      answer(result);
    };
    const end = () => {
      if (isAnswered) return;
      settle(late());
      this.#world.end(environment);
    };
    const timeout = this.#world.schedule(milliseconds, () => settle(late()), environment);
    this.#world.schedule(milliseconds + lambdaMilliseconds, end);
    if (this.#world.random() < this.options.crashed) this.#world.schedule(this.#world.random() * 100, end);
    if (this.#world.random() < this.options.stalled) this.#stall(environment, () => isAnswered);
    runIn(environment, () => void work(environment.code).then(settle));
  }

  #stall(environment: Environment, isAnswered: () => boolean): void {
    const world = this.#world;
    const { stallMilliseconds } = this.options;
    world.schedule(world.random() ** 2 * 300, () => {
      if (isAnswered()) return;
      world.freeze(environment);
      world.schedule(world.random() * stallMilliseconds, () => {
        if (!isAnswered()) world.thaw(environment);
      });
    });
  }

  #take(runs: string): Environment {
    const idle = this.#environments.filter((each) => each.runs === runs && !each.busy && !each.ended);
    const environment = idle[Math.floor(this.#world.random() * idle.length)] ?? this.#start(runs);
    environment.busy = true;
    this.#world.thaw(environment);
    return environment;
  }

  #start(runs: string): Environment {
    const { codes, skewMilliseconds } = this.options;
    const slot = this.#freeSlot();
    const code = codes[slot % codes.length];
    if (code === undefined) throw new Error('No code is loaded');
    const environment: Environment = {
      ...newProcess(`${runs}-${++this.#started}`, (this.#world.random() * 2 - 1) * skewMilliseconds),
      runs,
      slot,
      code,
      busy: false,
    };
    this.#environments.push(environment);
    return environment;
  }

  /** The copy of the code that the fewest living processes use. */
  #freeSlot(): number {
    const uses = this.options.codes.map(
      (_, slot) => this.#environments.filter((each) => each.slot === slot && !each.ended).length,
    );
    return uses.indexOf(Math.min(...uses));
  }
}

function timedOut(): Answer {
  return { kind: 'refused', code: 'unavailable', status: 503, said: ['Out of time.'] };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
