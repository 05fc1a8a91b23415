import type { ServiceCaller, SigningKey } from '#shared/canary/call-service.ts';
import type { AnswerOf, OperationRequest } from '#shared/contract/operation.ts';
import type {
  ManageAnswers,
  ManageOperationName,
  ServiceOperationName,
  ServiceOperations,
} from '#shared/contract/operations.ts';
import type { ManageClient } from '../cli/service/manage-client.ts';
import type { ManageCall } from '../cli/service/manage-request.ts';

/** One run: what it calls, the ids that it made up, and what later steps take from earlier ones. */
export interface Trial {
  /** Names the run; part of its application's and its user's id. */
  readonly id: string;
  readonly appId: string;
  readonly userId: string;
  readonly role: string;
  /** Of the bulk change of accesses, and of that of statuses. */
  readonly bulkIds: readonly [access: string, status: string];
  readonly manage: ManageClient;
  readonly service: ServiceCaller;
  /** Aborted when the run is to end early. */
  readonly signal: AbortSignal;
  /** The key of the application, once it is issued; after its rotation the new one. */
  key?: SigningKey;
  /** The key that was rotated, and is revoked then. */
  revokedKey?: SigningKey;
  /** The latest block, by the id of its change, and when it was answered in milliseconds since 1970. */
  block?: { readonly changeId: string; readonly at: number };
  /** The change that is undone. */
  changeId?: string;
  /** A change as the history has it. */
  change?: { readonly id: string };
}

interface Probe<Request, Answer> {
  /** The request of the operation, exactly as its record has it. */
  readonly request: (trial: Trial) => Request;
  /** Throws if the answer is not the expected one; returns what to say of it. Default: any success will do. */
  readonly check?: (answer: Answer, trial: Trial) => string | undefined;
  /** Seconds for which the request is repeated until the answer is the expected one, where an index lags. Default: 0. */
  readonly withinSeconds?: number;
  /** Whether nothing else can be tried when it fails. */
  readonly needed?: true;
}

/** A probe of every operation of the Management API, in the order in which they run; a missing one does not compile. */
export type ManageProbes<Name extends ManageOperationName = ManageOperationName> = {
  readonly [One in Name]: Probe<ManageCall<One>, ManageAnswers[One]>;
};

/** The same of the Service API; a read without one is tried by the request of its example, and any success will do. */
export type ServiceProbes = { readonly [Name in ServiceOperationName]?: ServiceProbe<Name> };

/** The operations that must have a probe: an example changes what later steps rely on. */
export type WritingOperation = {
  [Name in ServiceOperationName]: ServiceOperations[Name]['writes'] extends true ? Name : never;
}[ServiceOperationName];

/** A probe of one operation of the Service API. */
export type ServiceProbe<Name extends ServiceOperationName> = Probe<
  OperationRequest<ServiceOperations[Name]>,
  AnswerOf<ServiceOperations[Name]>
>;

/** A request that must be refused, by what it shows. */
export interface RefusalProbe {
  readonly name: string;
  /** Throws if it is not refused as it must be; returns the code of the refusal. */
  readonly run: (trial: Trial) => Promise<string>;
}

/** Throws unless the value is the expected one. */
export function mustBe(what: string, value: unknown, expected: unknown): void {
  if (value === expected) return;
  throw new Error(`${what} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`);
}

/** Throws unless the list has an item that fits; returns it. */
export function mustHave<Item>(what: string, items: readonly Item[], fits: (item: Item) => boolean): Item {
  const found = items.find(fits);
  if (found === undefined) throw new Error(`${what} is not among the ${items.length} items`);
  return found;
}

/** The key of the trial; throws if none was issued. */
export function keyOf({ key }: Trial): SigningKey {
  if (key === undefined) throw new Error('no API key was issued');
  return key;
}
