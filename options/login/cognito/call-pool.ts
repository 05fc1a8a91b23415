import { AwsCallError, callAws } from '#shared/core/call-aws.ts';
import { jitter, pause, requireTime } from '#shared/core/clock.ts';
import { paceCall } from './pace-calls.ts';

/** An error of Cognito, by its name in the API reference. */
export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly code: string;

  constructor(code: string, message: string) {
    // A refused value can be personal.
    super(`${code}: ${message.replaceAll(/Value '.*?' at/gs, 'Value at')}`);
    this.code = code;
  }
}

/** Cognito limits the requests a second of an account by category, and refuses what is above. */
const transientCodes = ['TooManyRequestsException', 'InternalErrorException', 'ThrottlingException'];
const maxAttempts = 30;
const longestPauseMilliseconds = 5_000;

/**
 * Calls an action of a user pool; a refusal is a `PoolError`. What Cognito limits waits, as long as the request has time.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/
 */
export async function callPool<Answer>(action: string, input: object, timeoutMilliseconds = 5_000): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    await paceCall(action);
    requireTime();
    try {
      return await callOnce<Answer>(action, input, timeoutMilliseconds);
    } catch (error) {
      if (!isPoolError(error, ...transientCodes) || attempt === maxAttempts) throw error;
      const longest = Math.min(longestPauseMilliseconds, 200 * 2 ** attempt);
      await pause(longest / 2 + jitter(longest / 2));
    }
  }
}

async function callOnce<Answer>(action: string, input: object, timeoutMilliseconds: number): Promise<Answer> {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
  };
  const call = {
    service: 'cognito-idp',
    path: '/',
    headers,
    body: JSON.stringify(input),
    timeoutMilliseconds,
  } as const;
  try {
    return JSON.parse((await callAws(call)).body || '{}') as Answer;
  } catch (error) {
    if (!(error instanceof AwsCallError)) throw error;
    const { __type: type = '', message = '' } = readProblem(error.body);
    // The type can have a prefix, as in `com.amazonaws…#UserNotFoundException`.
    const code = type.split('#').at(-1) ?? '';
    throw code === '' ? error : new PoolError(code, message);
  }
}

function readProblem(body: string): { readonly __type?: string; readonly message?: string } {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

/** Calls an action; undefined if what it concerns does not exist. */
export async function callIfFound<Answer>(action: string, input: object): Promise<Answer | undefined> {
  try {
    return await callPool<Answer>(action, input);
  } catch (error) {
    if (isPoolError(error, 'UserNotFoundException', 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

export function isPoolError(error: unknown, ...codes: readonly string[]): error is PoolError {
  return error instanceof PoolError && codes.includes(error.code);
}

/** Another account has the name. */
export const isNameTaken = (error: unknown) => isPoolError(error, 'UsernameExistsException');

/** Another account has the address. */
export const isAddressTaken = (error: unknown) => isPoolError(error, 'AliasExistsException');

const waiting: readonly string[] = ['AliasExistsException', 'UsernameExistsException', 'LimitExceededException'];
const final = ['InvalidParameterException', 'CodeDeliveryFailureException'];

/** Whether Cognito refused what was asked, and not the caller, its limits or an outage. */
export function isRefusal(error: unknown): error is PoolError {
  return isPoolError(error, ...waiting, ...final);
}

/** Whether it may accept later what it refused, such as an address that another account still has. */
export function mayAcceptLater({ code }: PoolError): boolean {
  return waiting.includes(code);
}
