import { connect } from 'node:net';

/** An answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends the bytes of a request to 127.0.0.1, also those that no HTTP client would send. Reads until the server closes the
 * connection, or has switched protocols.
 */
export async function sendRaw(port: number, request: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request, 'latin1');
  let received = '';
  for await (const chunk of socket) {
    received += chunk;
    if (/^HTTP\/1\.1 101 .*\r\n\r\n/s.test(received)) break;
  }
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.replace(/:.*/s, '').toLowerCase(), line.replace(/^[^:]*:\s*/, '')]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
