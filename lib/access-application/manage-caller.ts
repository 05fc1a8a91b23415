import { fromEnv } from '@aws-sdk/credential-provider-env';
import { signatureAuthorization } from '#client/management/aws-authorization.ts';
import { regionOfFunctionUrl } from '#client/management/function-url-region.ts';
import { createClient, type ManagementClient } from '#client/management/management-client.ts';
import { ManagementError } from '#client/management/management-error.ts';
import {
  type AnyInput,
  type ExactInput,
  type ManagementAnswer,
  type ManagementInput,
  type ManagementOperationName,
  managementRequest,
} from '#client/management/management-request.ts';
import { pause } from '#shared/core/clock.ts';

/** A refusal of the Management API. */
export class ManageError extends Error {
  /** The code of its problem, such as `already_exists`; `unexpected_answer` if something else has answered. */
  readonly code: string;

  constructor(name: ManagementOperationName, input: AnyInput, cause: ManagementError) {
    const { method, path } = managementRequest(name, input);
    super(`${method} ${path.replace('/api/manage', '')}: ${cause.detail}`, { cause });
    this.code = cause.code;
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
export async function callManage<Name extends ManagementOperationName, Input extends ManagementInput<Name>>(
  manageUrl: string,
  name: Name,
  input: Input & ExactInput<Name, Input>,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<ManagementAnswer<Name>> {
  const client = clientOf(manageUrl);
  const call = () => client.call<Name, Input>(name, input, { idempotencyKey });
  for (const seconds of pausesSeconds) {
    try {
      return await call();
    } catch (error) {
      if (!mayPass(error)) throw described(error, name, input);
      await pause(seconds * 1000);
    }
  }
  return call().catch((error: unknown) => {
    throw described(error, name, input);
  });
}

function described(error: unknown, name: ManagementOperationName, input: AnyInput): unknown {
  return error instanceof ManagementError ? new ManageError(name, input, error) : error;
}

/** Every refusal of the service has a problem; a 403 without one is Lambda's, because the permission has not arrived everywhere. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ManagementError) || error.code === 'no_answer') return true;
  const { status = 0, problem } = error;
  return status === 429 || status >= 500 || (status === 403 && problem === undefined);
}

function clientOf(manageUrl: string): ManagementClient {
  const { origin } = new URL(manageUrl);
  // The function URL may be in another Region than this function.
  const region = regionOfFunctionUrl(origin) ?? process.env.AWS_REGION ?? '';
  const authorization = signatureAuthorization(origin, { region, provide: fromEnv() });
  return createClient({
    receiver: () => ({ origin, authorization, fetch }),
    maxAttempts: 1,
    hooks: {},
    answer: timeoutMilliseconds,
    silence: timeoutMilliseconds,
  });
}
