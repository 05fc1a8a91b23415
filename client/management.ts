import { signatureAuthorization } from './management/aws-authorization.ts';
import { bearerAuthorization, type TokenSource } from './management/bearer-token.ts';
import type { ManagementHooks } from './management/call-operation.ts';
import type { AwsCredentialProvider, AwsCredentials } from './management/credential-provider.ts';
import { defaultCredentials } from './management/default-credentials.ts';
import { environment } from './management/environment.ts';
import { regionOfFunctionUrl } from './management/function-url-region.ts';
import { createClient, type ManagementClient } from './management/management-client.ts';
import type { Authorization } from './management/send-attempt.ts';
import { anObject, isObject, maxSeconds, type OptionRules, readOptions, readOrigin } from './read-options.ts';

export type { TokenSource } from './management/bearer-token.ts';
export {
  type BulkAnswer,
  type BulkBatch,
  type BulkProgress,
  type BulkRun,
  newBulkId,
  runBulk,
} from './management/bulk-run.ts';
export type { AttemptEvent, ManagementHooks } from './management/call-operation.ts';
export type { AwsCredentialProvider, AwsCredentials } from './management/credential-provider.ts';
export { CredentialsError, type CredentialsFailure, type CredentialWay } from './management/credentials-error.ts';
export type {
  ManagementCallOptions,
  ManagementClient,
  ManagementItem,
  ManagementListName,
} from './management/management-client.ts';
export type * from './management/management-contract.ts';
export { AnswerTimeout, ManagementError, type ManagementFailure } from './management/management-error.ts';
export type {
  ExactInput,
  ManagementAnswer,
  ManagementInput,
  ManagementOperationName,
  RequestConditions,
} from './management/management-request.ts';

/** The service to manage, and who signs. */
export interface ManagementClientOptions {
  /** With AWS credentials the function URL of the deployment (its output `ManageUrl`), with a token the URL of the service. */
  readonly url: string | URL;
  /** A token of an operator, instead of AWS credentials. */
  readonly token?: TokenSource;
  /** AWS credentials, or a provider of the AWS SDK; the default chain by default. */
  readonly credentials?: AwsCredentials | AwsCredentialProvider;
  /** The profile of AWS's configuration for the default chain. */
  readonly profile?: string;
  /** The Region of the function URL; the one in its host by default, then `AWS_REGION`. */
  readonly region?: string;
  /** How long to wait for an answer from a service that answers other requests; 35 by default. */
  readonly timeoutSeconds?: number;
  /** How long to wait for anything at all from the service, over all attempts of a call; 8 by default. */
  readonly silenceSeconds?: number;
  /** Requests per call; 4 by default, 1 means no retry. */
  readonly maxAttempts?: number;
  /** Callbacks for telemetry. */
  readonly hooks?: ManagementHooks;
  /** Allows `http://` to other machines; false by default. */
  readonly allowHttp?: boolean;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

const rules: OptionRules = {
  allowHttp: 'boolean',
  url: ['https://host, or http://host with allowHttp', (url, { allowHttp }) => originOf(url, allowHttp) !== '', true],
  credentials: ['{ accessKeyId, secretAccessKey } or a function', isObject],
  profile: ['a string, without credentials', (value, { credentials }) => typeof value === 'string' && !credentials],
  region: 'string',
  timeoutSeconds: maxSeconds,
  silenceSeconds: maxSeconds,
  maxAttempts: 100,
  hooks: anObject,
  fetch: 'function',
  token: [
    'a string or a function, without credentials or profile',
    (token, { credentials, profile }) =>
      token !== '' && ['string', 'function'].includes(typeof token) && !credentials && profile === undefined,
  ],
};

/**
 * Creates a client of the Management API, for operators and their tools.
 *
 * ```ts
 * import { createManagementClient } from '@auth-service/client/management';
 *
 * const manage = createManagementClient({ url: process.env.MANAGE_URL ?? '' });
 * await manage.call('create-application', { body: { appId: 'billing', name: 'Billing' } });
 * for await (const user of manage.items('list-users', { query: { status: 'inactive' } })) console.log(user.userId);
 * ```
 */
export function createManagementClient(given: ManagementClientOptions): ManagementClient {
  const options = readOptions('createManagementClient', given, rules);
  const { timeoutSeconds = 35, silenceSeconds = 8, maxAttempts = 4 } = options;
  const hooks = readOptions('hooks', options.hooks ?? {}, { onResponse: 'function', onRetry: 'function' });
  const { fetch: send = (url, init) => fetch(url, init) } = options;
  const origin = originOf(options.url, options.allowHttp);
  const authorization = authorizationOf(origin, options);
  const receiver = { origin, authorization, fetch: send };
  return createClient({
    receiver: () => receiver,
    maxAttempts,
    hooks,
    answer: timeoutSeconds * 1000,
    silence: silenceSeconds * 1000,
  });
}

/** The path of the API may be part of the URL. */
function originOf(url: unknown, allowHttp: unknown): string {
  return readOrigin(`${url}`.replace(/\/api\/manage\/?$/, ''), allowHttp);
}

function authorizationOf(
  origin: string,
  { token, credentials, profile, region }: ManagementClientOptions,
): Authorization {
  if (token !== undefined) return bearerAuthorization(token);
  const found = region ?? regionOfFunctionUrl(origin) ?? regionOfEnvironment();
  if (!found) throw new TypeError('region of createManagementClient is missing: the URL does not contain it');
  const provide = credentials ?? defaultCredentials(profile);
  return signatureAuthorization(origin, {
    region: found,
    provide: typeof provide === 'function' ? provide : async () => provide,
  });
}

function regionOfEnvironment(): string | undefined {
  const { AWS_REGION, AWS_DEFAULT_REGION } = environment();
  return AWS_REGION || AWS_DEFAULT_REGION;
}
