import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FakeAuthService } from '../testing.ts';

/** What the server does instead of letting the service answer: something that no application may believe. */
export type Deception = 'redirect' | 'earlier answer';

/** The service in memory on a port of this machine. */
export interface ServedService {
  readonly url: string;
  /** From now on; undefined lets the service answer. */
  deceive(deception: Deception | undefined): void;
  /** How many requests have followed a redirect. */
  readonly followed: number;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Serves a service in memory; rejects if the port is in use. */
export async function serveService(service: FakeAuthService, port: number): Promise<ServedService> {
  let deception: Deception | undefined;
  let followed = 0;
  /** The last answer with access for each path. */
  const enabled = new Map<string, Answer>();

  async function answer(request: Request): Promise<Answer> {
    const { pathname, origin } = new URL(request.url);
    const path = pathname.replace(elsewhere, '');
    const earlier = enabled.get(path);
    if (path !== pathname) {
      followed++;
      return earlier === undefined ? notFound : withNonceOf(request, earlier);
    }
    if (deception === 'redirect') return redirectTo(`${origin}${elsewhere}${pathname}`);
    if (deception === 'earlier answer' && earlier !== undefined) return earlier;
    const answered = await readAnswer(await service.fetch(request));
    if (answered.status === 200 && /"effectiveStatus":"enabled"/.test(`${answered.body}`)) enabled.set(path, answered);
    return answered;
  }

  const server = createServer(async (incoming, outgoing) => {
    try {
      send(outgoing, await answer(await readRequest(incoming, outgoing)));
    } catch {
      // As the service asks: no answer at all.
      outgoing.destroy();
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    deceive: (given) => {
      deception = given;
    },
    get followed() {
      return followed;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The path to which requests are redirected, before their own. */
const elsewhere = '/elsewhere';

const notFound: Answer = { status: 404, headers: [], body: Buffer.alloc(0) };

function redirectTo(location: string): Answer {
  return { status: 307, headers: [['location', location]], body: Buffer.alloc(0) };
}

/** Whoever receives a redirected request can repeat its nonce. */
function withNonceOf(request: Request, { headers, ...answer }: Answer): Answer {
  const [, nonce = ''] = /;nonce="([^"]+)"/.exec(request.headers.get('signature-input') ?? '') ?? [];
  return { ...answer, headers: [...headers.filter(([name]) => name !== 'request-nonce'), ['request-nonce', nonce]] };
}

async function readRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Request> {
  const { method = 'GET', headers, url } = incoming;
  const body = await buffer(incoming);
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const sent = Object.entries(headers).filter(
    ([name]) => !/^(connection|content-length|transfer-encoding)$/.test(name),
  );
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: sent.map(([name, value]): [string, string] => [name, `${value}`]),
    signal: gone.signal,
    ...(body.byteLength > 0 && { body }),
  });
}

async function readAnswer(response: Response): Promise<Answer> {
  return { status: response.status, headers: [...response.headers], body: Buffer.from(await response.arrayBuffer()) };
}

function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, Object.fromEntries(headers));
  outgoing.end(body);
}
