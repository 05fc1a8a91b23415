import type { Scope } from '#shared/contract/operation.ts';
import type { Answer, CoreOperationName, InputOf, OperationName, Received } from './operations.ts';
import { isAllowed, type Operator, operatorsOf } from './operators.ts';
import type { FunctionName, Processes } from './processes.ts';
import { currentProcess, newProcess, type Process, runIn, type World, wait } from './virtual-time.ts';

/** Whether all attempts of a call use the same nonce instead of a new one each. */
const sameNonce = true;

/** How often a client waits because its application is above its limit. */
const maxLimited = 20;

/** How long an application (with the timeout of `client/`) and an operator wait for one response. */
const applicationMilliseconds = 10_000;
const operatorMilliseconds = 30_000;

/** One request of a call. */
export interface AttemptRecord {
  readonly requestId: string;
  readonly sentAt: number;
  /** The `created` of its signature, in seconds since the epoch. */
  readonly created: number;
  /** Who sent it, with the roles at the time; undefined for an application. */
  readonly operator?: Operator | undefined;
  /** When the process answered, whether or not the answer arrived. */
  answeredAt?: number;
  answer?: Answer;
}

/** A copy of a signed request. */
export interface ReplayRecord extends AttemptRecord {
  readonly copyOf: AttemptRecord;
}

/** A call that a client made, and its outcome as the client knows it. */
export interface CallRecord {
  readonly id: string;
  /** Of the core, or of an option. */
  readonly operation: string;
  readonly input: object;
  readonly key: ApiKey | undefined;
  /** Who calls; undefined for an application. */
  readonly operator: Operator | undefined;
  /** The nonce or `Idempotency-Key` of all attempts; two operators may choose the same. */
  readonly nonce: string;
  readonly startedAt: number;
  endedAt?: number;
  readonly attempts: AttemptRecord[];
  /** Copies of signed requests, replayed by a third party. */
  readonly replays: ReplayRecord[];
  /** The last response that arrived; undefined if none did. */
  outcome?: Answer;
}

export interface ApiKey {
  readonly appId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

export interface ClientOptions {
  readonly maxAttempts: number;
  /** The probability that a response does not reach the client, from 0 to 1. */
  readonly lostAnswer: number;
  /** The probability that a signed request is replayed. */
  readonly replayed: number;
  /** The longest delay of a replay. */
  readonly replayMilliseconds: number;
  /** The longest wait before the next attempt. Default: increasing, up to 5 s. */
  readonly retryMilliseconds?: number | undefined;
  /** The offset of each `created` from the client's clock, positive or negative. */
  readonly createdErrorSeconds: number;
  /** The longest one-way latency between client and service; 0 means immediate arrival. */
  readonly travelMilliseconds: number;
}

/** No faults between clients and the service. */
export const calmClients: ClientOptions = {
  maxAttempts: 4,
  lostAnswer: 0,
  replayed: 0,
  replayMilliseconds: 60_000,
  createdErrorSeconds: 0,
  travelMilliseconds: 5,
};

/** Whether the signatures of a call's attempts are further apart than allowed for one call: the first may be forgotten by the last. */
export function hasLateAttempt({ attempts }: CallRecord): boolean {
  const created = attempts.map((attempt) => attempt.created);
  return Math.max(...created) - Math.min(...created) > 300;
}

/** All clients of a run, and the record of their calls. */
export class Clients {
  readonly calls: CallRecord[] = [];
  options: ClientOptions;
  /** Each numbers their own calls. */
  readonly #operators: readonly Operator[];
  readonly #world: World;
  readonly #processes: Processes;

  constructor(world: World, processes: Processes, options: ClientOptions, operators = operatorsOf([])) {
    this.#world = world;
    this.#processes = processes;
    this.options = options;
    this.#operators = operators;
  }

  /** Starts a client with its own clock; it counts as running until its work is done. */
  start(name: string, skewMilliseconds: number, work: () => Promise<void>): Promise<void> {
    return runIn(newProcess(name, skewMilliseconds), work);
  }

  /** Makes one call: retries until the response is not 503, and waits while the application is above its limit. With a key, an application calls, otherwise an operator. */
  async call<Name extends CoreOperationName>(operation: Name, input: InputOf<Name>, key?: ApiKey): Promise<CallRecord> {
    return this.#untilAnswered(this.#begin(operation, input, key));
  }

  /** The same for an operation of an option. */
  callOf(operation: string, input: object): Promise<CallRecord> {
    return this.#untilAnswered(this.#begin(operation, input, undefined));
  }

  async #untilAnswered(call: CallRecord): Promise<CallRecord> {
    let limited = 0;
    for (let attempt = 1; attempt - limited <= this.options.maxAttempts; attempt++) {
      const { retryMilliseconds = Math.min(5000, 100 * 2 ** attempt) } = this.options;
      if (attempt > 1) await wait(this.#world.random() * retryMilliseconds);
      const answer = await this.#attempt(call);
      if (answer !== undefined && isLimited(answer) && limited < maxLimited) {
        limited++;
        await wait(1000 + this.#world.random() * 4000);
        continue;
      }
      if (answer === undefined) delete call.outcome;
      else call.outcome = answer;
      if (answer !== undefined && !isUnavailable(answer)) break;
    }
    call.endedAt = this.#world.time;
    return call;
  }

  /** Repeats calls whose outcome is unknown, as long as the service knows them; returns their ids. */
  async repeatUnknown(most: number): Promise<string[]> {
    const isUnknown = ({ outcome }: CallRecord) => outcome === undefined || isTransient(outcome);
    const repeated = this.calls.filter((call) => isUnknown(call) && this.#isKnown(call)).slice(-most);
    for (const call of repeated) await this.#untilAnswered(call);
    return repeated.map(({ id }) => id);
  }

  /** For an operator's call, a day; for a signed one, until its signatures would be too far apart. */
  #isKnown({ operator, attempts, startedAt }: CallRecord): boolean {
    const first = Math.min(...attempts.map(({ created }) => created));
    return operator === undefined
      ? this.#world.time / 1000 - first < 280
      : this.#world.time - startedAt < 20 * 3_600_000;
  }

  /** Makes one call whose client sends the request again without waiting for the first response. */
  async callTwice<Name extends CoreOperationName>(
    operation: Name,
    input: InputOf<Name>,
    key?: ApiKey,
  ): Promise<CallRecord> {
    const call = this.#begin(operation, input, key);
    const [, answer] = await Promise.all([this.#attempt(call), this.#attempt(call)]);
    if (answer !== undefined) call.outcome = answer;
    call.endedAt = this.#world.time;
    return call;
  }

  #begin(operation: OperationName, input: object, key: ApiKey | undefined): CallRecord {
    const id = `call-${this.calls.length + 1}`;
    const operator = key === undefined ? this.#oneOperator(operation, input) : undefined;
    const made = this.calls.filter((call) => call.operator?.identity.id === operator?.identity.id);
    const startedAt = this.#world.time;
    const nonce = operator === undefined ? id : `order-${made.length + 1}`;
    const call: CallRecord = { id, operation, input, key, operator, nonce, startedAt, attempts: [], replays: [] };
    this.calls.push(call);
    return call;
  }

  #oneOperator(operation: OperationName, { appId }: { readonly appId?: string }) {
    const allowed = this.#operators.filter((operator) => isAllowed(operator, operation, appId));
    const drawn = allowed[Math.floor(this.#world.random() * allowed.length)];
    if (drawn === undefined) throw new Error(`No operator may call ${operation}`);
    return drawn;
  }

  #attempt(call: CallRecord): Promise<Answer | undefined> {
    const world = this.#world;
    const process = currentProcess();
    const error = (world.random() < 0.5 ? -1 : 1) * this.options.createdErrorSeconds;
    const attempt = {
      requestId: requestIdOf(call),
      operator: call.attempts.length > 0 ? promoted(call.operator) : call.operator,
      sentAt: world.time,
      created: Math.floor((world.time + (process?.skewMilliseconds ?? 0)) / 1000 + error),
    };
    call.attempts.push(attempt);
    const request = {
      operation: call.operation,
      input: call.input,
      key: call.key,
      operator: attempt.operator,
      requestId: attempt.requestId,
      callId: call.id,
      nonce: sameNonce ? call.nonce : attempt.requestId,
      signatureId: attempt.requestId,
      created: attempt.created,
    };
    if (call.key !== undefined && world.random() < this.options.replayed) this.#replayLater(call, attempt, request);
    const timeoutMilliseconds = call.key === undefined ? operatorMilliseconds : applicationMilliseconds;
    return new Promise((resolve) => {
      const timeout = world.schedule(timeoutMilliseconds, () => resolve(undefined), process);
      const arrive = (answer: Answer) => {
        timeout.cancelled = true;
        resolve(answer);
      };
      this.#send(attempt, request, (answer) => {
        if (world.random() < this.options.lostAnswer) return;
        this.#travel(() => arrive(answer), process);
      });
    });
  }

  #replayLater(call: CallRecord, copyOf: AttemptRecord, request: Request): void {
    const delay = this.#world.random() * this.options.replayMilliseconds;
    this.#world.schedule(delay, () => {
      const requestId = requestIdOf(call);
      const replay = { requestId, sentAt: this.#world.time, created: copyOf.created, copyOf };
      call.replays.push(replay);
      this.#send(replay, { ...request, requestId }, () => undefined);
    });
  }

  #send(attempt: AttemptRecord, request: Request, answered: (answer: Answer) => void): void {
    const world = this.#world;
    const receive = (answer: Answer) => {
      Object.assign(attempt, { answeredAt: world.time, answer });
      answered(answer);
    };
    const runs: FunctionName = request.key === undefined ? 'manage' : 'service';
    this.#travel(() => this.#processes.receive(runs, request, receive));
  }

  #travel(arrive: () => void, process?: Process): void {
    const { travelMilliseconds } = this.options;
    if (travelMilliseconds === 0) arrive();
    else this.#world.schedule(this.#world.random() * travelMilliseconds, arrive, process);
  }
}

type Request = Omit<Received, 'milliseconds'>;

function requestIdOf({ id, attempts, replays }: CallRecord): string {
  return `${id}.${attempts.length + replays.length + 1}`;
}

/** A token may have more roles than the one before it. */
function promoted(operator: Operator | undefined): Operator | undefined {
  return operator && { ...operator, heldRoles: [...operator.heldRoles, { role: 'admin', appId: null }] };
}

function isUnavailable(answer: Answer): boolean {
  return answer.kind === 'failed' || (answer.kind === 'refused' && answer.status === 503);
}

function isLimited(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.status === 429;
}

/** Whether a refusal says nothing about the call, which can be repeated. */
export function isTransient(answer: Answer): boolean {
  return isUnavailable(answer) || isLimited(answer);
}
