import { expect } from '@jest/globals';
import type { Caller } from '#shared/contract/change.ts';
import type { AccessKey } from '../../local/local-credentials.ts';
import { signSigV4 } from '../../local/sign-sigv4.ts';
import { type Answer, type SentRequest, send } from './send-request.ts';
import type { TestService } from './start-service.ts';

/** The entry points of the Management API: the function URL with IAM, and the HTTP API with tokens. */
export const entryPoints = ['iam', 'jwt'] as const;
export type EntryPoint = (typeof entryPoints)[number];

const aLocalIssuer = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown as string;

/** The caller in a Change for each entry point. */
export const operatorAt: Readonly<Record<EntryPoint, Caller>> = {
  iam: { kind: 'operator', via: 'iam', id: 'arn:aws:iam::000000000000:user/local', role: 'admin' },
  jwt: {
    kind: 'operator',
    via: 'token',
    issuer: aLocalIssuer,
    role: 'admin',
    id: 'operator-of-tests',
    email: 'operator@example.com',
  },
};

export interface ManageOptions {
  /** An object is sent as JSON, a string or bytes unchanged. */
  readonly body?: object | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** At the entry point `iam`: differences from what the operator would sign with. */
  readonly signing?: Partial<AccessKey & { readonly at: Date }>;
  /** At the entry point `jwt`: a token other than the operator's. */
  readonly token?: string;
  /** Changes the request after signing. */
  readonly tamper?: (request: SentRequest) => SentRequest;
}

/** The addresses of the entry points, with credentials for them. */
export type ManageAccess = Pick<TestService, 'url' | 'manageUrl' | 'accessKey' | 'login'>;

/** Sends a request to the Management API as an operator; the path is relative to `/api/manage` and sent unchanged. */
export type Manage = (entryPoint: EntryPoint, method: string, path: string, options?: ManageOptions) => Promise<Answer>;

export function manageClient(service: () => ManageAccess): Manage {
  let cached: Promise<string> | undefined;
  const operatorToken = () => {
    const { id: sub, email } = operatorAt.jwt as { id: string; email: string };
    cached ??= service().login.mintToken({ sub, email });
    return cached;
  };
  return async (entryPoint, method, path, { body, headers = {}, signing = {}, token, tamper = unchanged } = {}) => {
    const content = typeof body === 'object' && !(body instanceof Uint8Array) ? JSON.stringify(body) : body;
    const target = `/api/manage${path}`;
    const typeOfBody = content === undefined ? {} : { 'content-type': 'application/json' };
    const request = { method, target, headers: { ...typeOfBody, ...headers }, body: content };
    if (entryPoint === 'iam') return send(service().manageUrl, tamper(await signed(service(), request, signing)));
    const authorization = `Bearer ${token ?? (await operatorToken())}`;
    return send(service().url, tamper({ ...request, headers: { ...request.headers, authorization } }));
  };
}

/** Signs without the hash of the body among the headers, as AWS's tools do. */
async function signed(
  { manageUrl, accessKey }: ManageAccess,
  request: SentRequest & { readonly headers: Record<string, string> },
  { at = new Date(), ...credentials }: NonNullable<ManageOptions['signing']>,
): Promise<SentRequest> {
  const [path = '', query = ''] = request.target.split(/\?(.*)/s, 2);
  const { host } = new URL(manageUrl);
  const { method, body = '' } = request;
  const toSign = { method, path, query, headers: { ...request.headers, host }, body };
  return { ...request, headers: await signSigV4(toSign, { ...accessKey, ...credentials }, at) };
}

function unchanged(request: SentRequest): SentRequest {
  return request;
}
