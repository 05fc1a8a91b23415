import { type Calling, callUntilComplete } from './call-operation.ts';
import {
  type AnyInput,
  type ExactInput,
  type ManagementAnswer,
  type ManagementInput,
  type ManagementOperationName,
  managementRequest,
  type RequestConditions,
} from './management-request.ts';
import type { Receiver } from './send-attempt.ts';

/** The operations that answer a page of a list. */
export type ManagementListName = {
  [Name in ManagementOperationName]: ManagementAnswer<Name> extends Page ? Name : never;
}[ManagementOperationName];

interface Page {
  readonly items: readonly unknown[];
  readonly cursor: string | null;
}

/** An item of a list. */
export type ManagementItem<Name extends ManagementListName> = (ManagementAnswer<Name> & Page)['items'][number];

/** The options of a call. */
export interface ManagementCallOptions extends RequestConditions {
  /** Ends the call early. A write may have taken effect. */
  readonly signal?: AbortSignal | undefined;
}

/** The Management API as typed calls; every failure is a `ManagementError`. */
export interface ManagementClient {
  /** The origin of the service, without a trailing slash. */
  readonly url: string;
  /**
   * Calls an operation by the name that it has in the description of the API. All requests of a write have the same
   * `Idempotency-Key`, a new one unless it is passed, so it takes effect once. After a 202 the call is repeated until it is complete.
   */
  call<Name extends ManagementOperationName, Input extends ManagementInput<Name>>(
    name: Name,
    input: Input & ExactInput<Name, Input>,
    options?: ManagementCallOptions,
  ): Promise<ManagementAnswer<Name>>;
  /** The pages of a list, from the first or from a cursor in the query. A page may be empty although others follow. */
  pages<Name extends ManagementListName, Input extends ManagementInput<Name>>(
    name: Name,
    input: Input & ExactInput<Name, Input>,
    options?: ManagementCallOptions,
  ): AsyncGenerator<ManagementAnswer<Name>, void, undefined>;
  /** The items of all pages, as `pages` reads them. */
  items<Name extends ManagementListName, Input extends ManagementInput<Name>>(
    name: Name,
    input: Input & ExactInput<Name, Input>,
    options?: ManagementCallOptions,
  ): AsyncGenerator<ManagementItem<Name>, void, undefined>;
}

/** What all calls of a client have in common. */
export interface ClientParts extends Omit<Calling, 'receiver' | 'signal'> {
  /** Called for each call, and for the URL. */
  readonly receiver: () => Receiver;
  /** The error to throw for a failed call. Default: as it is. */
  readonly failureOf?: (error: unknown, call: FailedCall) => unknown;
}

/** A call that has failed. */
export interface FailedCall extends RequestConditions {
  readonly name: ManagementOperationName;
}

type AnyCall = (name: ManagementOperationName, input: AnyInput, options?: ManagementCallOptions) => Promise<unknown>;

/** Creates the function that calls operations; `createClient` types it. */
function createCall({ receiver, failureOf, ...parts }: ClientParts): AnyCall {
  return async (name, input, { signal, ...conditions } = {}) => {
    try {
      const request = managementRequest(name, input, conditions);
      return await callUntilComplete(request, { ...parts, receiver: receiver(), signal });
    } catch (error) {
      throw failureOf === undefined ? error : failureOf(error, { name, ...conditions });
    }
  };
}

export function createClient(parts: ClientParts): ManagementClient {
  const call = createCall(parts);
  const client = {
    get url() {
      return parts.receiver().origin;
    },
    call,
    pages: (name: ManagementListName, input: AnyInput, options?: ManagementCallOptions) =>
      readPages((page) => call(name, page, options) as Promise<Page>, input),
    async *items(name: ManagementListName, input: AnyInput, options?: ManagementCallOptions) {
      for await (const { items } of client.pages(name, input, options)) yield* items;
    },
  };
  return client as ManagementClient;
}

async function* readPages(read: (input: AnyInput) => Promise<Page>, input: AnyInput): AsyncGenerator<Page, void> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await read({ ...input, query: { ...input.query, ...(cursor !== undefined && { cursor }) } });
    yield page;
    ({ cursor } = page);
  }
}
