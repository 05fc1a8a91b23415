import type { SentRequest, ServiceReply, SigningKey } from '#shared/calls/call-service.ts';
import { keyOf, type RefusalProbe, requireEqual, type Trial } from './trial.ts';

/** One second more than the maximum age of a signature. */
const tooOldSeconds = 301;

/** Requests that must be refused, or must not take effect twice. They run while the first key is valid. */
export function refusalProbes(urls: { readonly api: string; readonly manage: string }): readonly RefusalProbe[] {
  return [
    {
      name: 'a retry of a call with a new signature gets its first outcome',
      run: async (trial) => {
        const nonce = crypto.randomUUID();
        const created = Math.floor(Date.now() / 1000);
        const [first, second] = [created - 1, created].map((at) => sign(trial, keyOf(trial), { nonce, created: at }));
        const { body: before } = await send(trial, first as SentRequest);
        const { status, body } = await send(trial, second as SentRequest);
        requireEqual('status', status, 200);
        requireEqual('version', body.version, before.version);
        return 'the same version';
      },
    },
    {
      name: 'an identical request is refused as a replay',
      run: async (trial) => {
        const request = sign(trial, keyOf(trial));
        requireEqual('status of the first', (await send(trial, request)).status, 200);
        return requireRefusal(await send(trial, request), 409, 'nonce_replayed');
      },
    },
    {
      name: 'a forged signature is refused',
      run: async (trial) => {
        const secret = `svs_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`;
        return requireRefusal(await send(trial, sign(trial, { ...keyOf(trial), secret })), 401, 'signature_mismatch');
      },
    },
    {
      name: 'a changed body is refused',
      run: async (trial) => {
        const request = sign(trial, keyOf(trial));
        const body = request.body?.replace('disabled', 'enabled');
        return requireRefusal(await send(trial, { ...request, body }), 401, 'digest_mismatch');
      },
    },
    {
      name: 'an old signature is refused',
      run: async (trial) => {
        const created = Math.floor(Date.now() / 1000) - tooOldSeconds;
        return requireRefusal(await send(trial, sign(trial, keyOf(trial), { created })), 401, 'clock_skew');
      },
    },
    {
      name: 'a request without a signature is refused',
      run: async (trial) => {
        const { headers: _, ...request } = sign(trial, keyOf(trial));
        const headers = { 'content-type': 'application/json' };
        return requireRefusal(await send(trial, { ...request, headers }), 401, 'signature_missing');
      },
    },
    {
      name: 'a route that does not exist is refused',
      run: async (trial) =>
        requireRefusal(await send(trial, get(`${urls.api}/api/service/nothing`)), 404, 'route_not_found'),
    },
    {
      name: 'the Management API refuses a request without a token',
      run: async (trial) => requireRefusal(await send(trial, get(`${urls.api}/api/manage/users`)), 401),
    },
    {
      name: 'the function URL refuses a request without AWS credentials',
      run: async (trial) => requireRefusal(await send(trial, get(`${urls.manage}/api/manage/users`)), 403),
    },
  ];
}

/** Runs after the first key was revoked. */
export const revokedKeyProbe: RefusalProbe = {
  name: 'a revoked key is refused',
  run: async (trial) => {
    if (trial.revokedKey === undefined) throw new Error('no key was revoked');
    return requireRefusal(await send(trial, sign(trial, trial.revokedKey)), 401, 'key_revoked');
  },
};

/** A block of the user, signed. */
function sign(trial: Trial, key: SigningKey, options: { nonce?: string; created?: number } = {}): SentRequest {
  const { userId } = trial;
  return trial.service.sign(
    'set-access',
    { path: { userId }, body: { status: 'disabled', reason: 'smoke test' } },
    key,
    options,
  );
}

function send({ service }: Trial, request: SentRequest): Promise<ServiceReply> {
  return service.send(request);
}

function get(url: string): SentRequest {
  return { method: 'GET', url, headers: {}, body: undefined };
}

/** Throws unless it was refused with this status and, where the service itself refuses, this code. */
function requireRefusal({ status, body }: ServiceReply, expected: number, code?: string): string {
  requireEqual('status', status, expected);
  if (code !== undefined) requireEqual('code', body.code, code);
  return `${status} ${code ?? ''}`.trimEnd();
}
