import { AwsCallError, callAws } from '#shared/core/call-aws.ts';
import { pause } from '#shared/core/clock.ts';

/** A request to the Management API. */
export interface ManageCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/manage`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Repeats of a request with the same key answer the same and change nothing. */
  readonly idempotencyKey?: string;
}

/** A refusal of the Management API. */
export class ManageError extends Error {
  /** The code of its problem, such as `already_exists`; empty if something else has answered. */
  readonly code: string;

  constructor({ method, path }: ManageCall, { status, body }: AwsCallError) {
    const problem = parsed(body);
    super(`${method} ${path}: ${problem.detail ?? `the Management API answered ${status}`}`);
    this.code = problem.code ?? '';
  }
}

/** A role that has just been created is refused for some seconds. */
const pausesSeconds = [1, 2, 4, 8, 15, 15, 15];

/** The Management API answers within 29 seconds. */
const timeoutMilliseconds = 35_000;

/**
 * Calls the Management API at its function URL with the credentials of this function, again where that may help: every call can be
 * repeated. Throws `ManageError` on a refusal.
 */
export async function callManage<Answer>(manageUrl: string, call: ManageCall): Promise<Answer> {
  for (const seconds of pausesSeconds) {
    try {
      return await send<Answer>(manageUrl, call);
    } catch (error) {
      if (!mayPass(error)) throw described(call, error);
      await pause(seconds * 1000);
    }
  }
  return send<Answer>(manageUrl, call).catch((error: unknown) => {
    throw described(call, error);
  });
}

function described(call: ManageCall, error: unknown): unknown {
  return error instanceof AwsCallError ? new ManageError(call, error) : error;
}

/** Every refusal of the service has a code; a 403 without one is Lambda's, because the permission has not arrived everywhere. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof AwsCallError)) return true;
  const { status, body } = error;
  return status === 429 || status >= 500 || (status === 403 && parsed(body).code === undefined);
}

/** The Region of a function URL, which may be another one than that of this function. */
export function regionOf(manageUrl: string): string {
  return /[.]lambda-url[.]([a-z0-9-]+)[.]/.exec(manageUrl)?.[1] ?? process.env.AWS_REGION ?? '';
}

async function send<Answer>(manageUrl: string, { idempotencyKey, ...call }: ManageCall): Promise<Answer> {
  const { origin } = new URL(manageUrl);
  const { body } = await callAws({
    service: 'lambda',
    endpoint: { origin, region: regionOf(manageUrl) },
    timeoutMilliseconds,
    method: call.method,
    path: `/api/manage${call.path}`,
    query: call.query ?? {},
    headers: {
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: call.body === undefined ? '' : JSON.stringify(call.body),
  });
  return JSON.parse(body) as Answer;
}

function parsed(body: string): { readonly code?: string; readonly detail?: string } {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}
