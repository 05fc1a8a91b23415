import { randomInt } from 'node:crypto';
import autocannon, { type Client, type Options, type Request } from 'autocannon';
import { createServiceCaller } from '#shared/calls/call-service.ts';
import { accessStatuses } from '#shared/contract/access-statuses.ts';

/** A service, an API key for it, and the users and roles that the requests are about. */
export interface LoadTarget {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly userIds: readonly string[];
  readonly roles: readonly string[];
}

/** The results of a load. */
export interface LoadTally {
  readonly milliseconds: number[];
  readonly byKind: Record<Kind, number>;
  /** Responses other than 200, and requests without a response. */
  readonly errors: string[];
  /** Writes whose response says that they changed something. */
  changed: number;
  seconds: number;
}

export const kinds = ['GET', 'PUT', 'roles'] as const;
type Kind = (typeof kinds)[number];

/** Requests between two checks of the elapsed time; all of them are answered before the load ends. */
const requestsPerRun = 1000;

/** Sends 90 % GET, 8 % PUT and 2 % role changes for this time. */
export async function sendLoad(target: LoadTarget, connections: number, seconds: number): Promise<LoadTally> {
  const byKind = { GET: 0, PUT: 0, roles: 0 };
  const tally: LoadTally = { milliseconds: [], byKind, errors: [], changed: 0, seconds: 0 };
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1000) await sendSome(target, connections, tally);
  tally.seconds = (performance.now() - startedAt) / 1000;
  return tally;
}

async function sendSome(target: LoadTarget, connections: number, tally: LoadTally): Promise<void> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const options: Options = {
    url: target.baseUrl,
    connections,
    amount: requestsPerRun,
    timeout: 30,
    requests: [
      {
        setupRequest: (request, context) => {
          const kind = chooseKind(randomInt(100));
          Object.assign(context, { kind });
          return { ...request, ...signedRequest(target, kind) };
        },
        onResponse: (status, body, context) => note(tally, (context as { kind: Kind }).kind, status, body),
      },
    ],
  };
  const running = autocannon(options, (error) => (error ? reject(error) : resolve()));
  running.on('response', (_: Client, __: number, ___: number, milliseconds: number) => {
    tally.milliseconds.push(milliseconds);
  });
  running.on('reqError', (error: Error) => void tally.errors.push(error.message));
  await ended;
}

function note(tally: LoadTally, kind: Kind, status: number, body: string): void {
  tally.byKind[kind]++;
  if (status !== 200) tally.errors.push(`${kind} ${status}: ${body}`);
  else if (kind !== 'GET' && JSON.parse(body).changed === true) tally.changed++;
}

function chooseKind(percent: number): Kind {
  if (percent < 90) return 'GET';
  return percent < 98 ? 'PUT' : 'roles';
}

/** A request of this kind for a random user, with its own signature and nonce. */
export function signedRequest({ baseUrl, keyId, secret, userIds, roles }: LoadTarget, kind: Kind): Request {
  const { sign } = createServiceCaller(baseUrl);
  const key = { keyId, secret };
  const [path, role] = [{ userId: pick(userIds) }, pick(roles)];
  const choose = () => {
    if (kind === 'GET') return sign('get-access', { path }, key);
    if (kind === 'PUT') {
      return sign('set-access', { path, body: { status: pick(accessStatuses), reason: pick(['a', 'b', 'c']) } }, key);
    }
    return randomInt(2) === 0
      ? sign('assign-role', { path, body: { role } }, key)
      : sign('revoke-role', { path, query: { role } }, key);
  };
  const { method, url, headers, body = '' } = choose();
  return { method: method as Request['method'], path: url.replace(baseUrl, ''), body, headers };
}

function pick<T>(values: readonly T[]): T {
  return values[randomInt(values.length)] as T;
}
