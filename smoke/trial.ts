import type { ManagementClient } from '#client/management/management-client.ts';
import type { ManagementInput } from '#client/management/management-request.ts';
import type { SentRequest, ServiceCaller, SigningKey } from '#shared/calls/call-service.ts';
import type { AnswerOf, OperationRequest } from '#shared/contract/operation.ts';
import type {
  ManageAnswers,
  ManageOperationName,
  ServiceOperationName,
  ServiceOperations,
} from '#shared/contract/operations.ts';

/** One run: what it calls, its generated ids, and what earlier steps pass to later ones. */
export interface Trial {
  /** Identifies the run; part of the ids of its application and user. */
  readonly id: string;
  readonly appId: string;
  readonly userId: string;
  readonly role: string;
  /** The ids of the bulk change of accesses and of the bulk change of statuses. */
  readonly bulkIds: readonly [access: string, status: string];
  readonly manage: ManagementClient;
  readonly service: ServiceCaller;
  /** Aborted to end the run early. */
  readonly signal: AbortSignal;
  /** The key of the application, once issued; after its rotation, the new one. */
  key?: SigningKey;
  /** The key of the connection. */
  connectionKey?: { readonly keyId: string; readonly token: string };
  /** The key that was rotated and then revoked. */
  revokedKey?: SigningKey;
  /** The latest block: the id of its change, and when the response arrived, in milliseconds since 1970. */
  block?: { readonly changeId: string; readonly at: number };
  /** The change that is undone. */
  changeId?: string;
  /** The change of the application that is undone. */
  applicationChangeId?: string;
  /** A change as returned by the history. */
  change?: { readonly id: string };
}

interface Probe<Request, Answer> {
  /** The request of the operation, exactly as its record has it. */
  readonly request: (trial: Trial) => Request;
  /** Throws unless the answer is as expected; returns a detail to print. Default: any success is accepted. */
  readonly check?: (answer: Answer, trial: Trial) => string | undefined;
  /** Seconds for which the request is repeated until the answer is as expected, where an index lags. Default: 0. */
  readonly withinSeconds?: number;
  /** Why it is not tried against this deployment, as far as earlier probes have seen; undefined if it is. */
  readonly skip?: (trial: Trial) => string | undefined;
  /** Whether the run ends if it fails. */
  readonly needed?: true;
}

/** A probe of every operation of the Management API, in the order in which they run; a missing one does not compile. */
export type ManageProbes<Name extends ManageOperationName = ManageOperationName> = {
  readonly [One in Name]: Probe<ManagementInput<One>, ManageAnswers[One]>;
};

/** The same for the Service API. A read without a probe is tried with its example request, and any success is accepted. */
export type ServiceProbes = { readonly [Name in ServiceOperationName]?: ServiceProbe<Name> };

/** A probe of one operation of the Service API. */
export type ServiceProbe<Name extends ServiceOperationName> = Probe<
  OperationRequest<ServiceOperations[Name]>,
  AnswerOf<ServiceOperations[Name]>
>;

/** A request that the service must refuse. */
export interface RefusalProbe {
  readonly name: string;
  /** Throws unless it is refused as expected; returns the code of the refusal. */
  readonly run: (trial: Trial) => Promise<string>;
}

/** Throws unless the value is the expected one. */
export function requireEqual(what: string, value: unknown, expected: unknown): undefined {
  if (value === expected) return undefined;
  throw new Error(`${what} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`);
}

/** Throws unless the list has an item that fits; returns it. */
export function requireItem<Item>(what: string, items: readonly Item[], fits: (item: Item) => boolean): Item {
  const found = items.find(fits);
  if (found === undefined) throw new Error(`${what} is not among the ${items.length} items`);
  return found;
}

/** The key of the trial; throws if none was issued. */
export function keyOf({ key }: Trial): SigningKey {
  if (key === undefined) throw new Error('no API key was issued');
  return key;
}

/**
 * Whether the deployment has the route of a request that it refuses, for an endpoint that depends on a setting. An endpoint that
 * is there refuses the caller first; the form of a 404 differs by path, as directories expect SCIM's.
 */
export async function hasRoute({ service }: Trial, request: SentRequest): Promise<boolean> {
  return (await service.send(request)).status !== 404;
}
