import { signatureAuthorization } from '#client/management/aws-authorization.ts';
import type { ManagementHooks } from '#client/management/call-operation.ts';
import { createClient, type ManagementClient } from '#client/management/management-client.ts';
import { ManagementError } from '#client/management/management-error.ts';
import type { Receiver } from '#client/management/send-attempt.ts';
import type { Operation } from '#shared/contract/operation.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import { describeFailure } from './describe-failure.ts';
import type { Service } from './find-service.ts';

export interface ManageClientOptions {
  /** Called once, before the first request. */
  readonly service: () => Service;
  /** Receives messages for the user during long waits. */
  readonly note: (line: string) => void;
  /** Receives a line for each request and its response. */
  readonly debug?: ((line: string) => void) | undefined;
  /** How long to wait for the answer to a request. Default: 35 s, or 8 s if the service does not answer anything. */
  readonly timeoutSeconds?: number | undefined;
  /** How often a request is sent until it is answered. Default: 4 times. */
  readonly maxAttempts?: number;
}

/**
 * Longer than the timeout of the function behind the function URL; a deletion or a bulk change may need all of it. And short enough
 * that a command against a stopped service ends within 15 s: a lookup that begins after half of this time, to a name server that
 * does not answer, keeps the process alive for 10 s. Other requests are answered in much less.
 */
const patience = { answer: 35_000, silence: 8_000 };

/** The client of the Management API for the chosen service; every failure is a CliError. */
export function createManageClient({
  service,
  timeoutSeconds,
  maxAttempts = 4,
  ...messages
}: ManageClientOptions): ManagementClient {
  let opened: { readonly service: Service; readonly receiver: Receiver } | undefined;
  const open = () => {
    opened ??= openService(service());
    return opened;
  };
  const milliseconds = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  return createClient({
    receiver: () => open().receiver,
    maxAttempts,
    hooks: hooksOf(messages),
    ...(milliseconds === undefined ? patience : { answer: milliseconds, silence: milliseconds }),
    failureOf: (error, { name, idempotencyKey }) => {
      const isRepeatable = idempotencyKey !== undefined || !alwaysCreates(manageOperations[name]);
      return error instanceof ManagementError
        ? describeFailure(error, { service: open().service, isRepeatable })
        : error;
    },
  });
}

function openService(service: Service) {
  const { url: origin, region, credentials: provide } = service;
  return { service, receiver: { origin, authorization: signatureAuthorization(origin, { region, provide }), fetch } };
}

/** After an attempt that took longer than this, a message says why the command retries. */
const longWaitMilliseconds = 5000;

function hooksOf({ note, debug }: Pick<ManageClientOptions, 'note' | 'debug'>): ManagementHooks {
  return {
    onResponse: ({ method, url, outcome, durationMs }) => debug?.(`${method} ${url} ${outcome} ${durationMs} ms`),
    onRetry: ({ durationMs, outcome, attempt, maxAttempts }) => {
      if (durationMs > longWaitMilliseconds) note(`${outcome}; retrying (${attempt + 1} of ${maxAttempts}) …`);
    },
  };
}

/** A new command would create a second key, or fail because the first one has succeeded. */
function alwaysCreates({ statuses = [200] }: Operation): boolean {
  return statuses.every((status) => status === 201);
}
