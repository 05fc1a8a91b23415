import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that a system gives to connections and to whoever listens at port 0, which begin at 32768 on Linux and at 49152
// elsewhere (RFC 6335, section 6): one of those may be taken before its program starts.
const [first, count] = [10_000, 20_000];
let next = Math.floor(Math.random() * count);

/** A port of 127.0.0.1 at which nobody listens, and which this process gives only once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % count);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await once(server.close(), 'close');
  return isListening;
}
