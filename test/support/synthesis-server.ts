import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { makeOnce, pathFor } from './synthesis-cache.ts';

/**
 * The kind of result: a template, a template that passed all rules, an assembly with the functions' bundles, or one of
 * the small stacks beside the service's.
 */
export interface SynthesisRequest {
  readonly kind: 'template' | 'checked-template' | 'assembly' | SmallStack;
  readonly context: Readonly<Record<string, string>>;
  /** With a bucket that violates the rules. */
  readonly unsafe?: boolean;
}

export type SmallStack = 'role-watch' | 'backup-vault' | 'log-queries';

/**
 * `node test/support/synthesis-server.ts <folder>`: synthesizes stacks for all tests of a run, so that the CDK is
 * loaded and the functions are bundled once, and only if something is not in the cache. Prints its URL, answers with
 * paths, and exits with the process that started it.
 */
const [, , folder = ''] = process.argv;
const server = createServer(async (request, response) => {
  try {
    response.end(await answer((await json(request)) as SynthesisRequest));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
});
// A synthesis keeps the process busy for seconds, and a connection that it closes then may be in use.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
process.stdin.resume().once('end', () => process.exit());

/** The paths by request: a result that is not cached, because an input has changed meanwhile, is also made only once. */
const made = new Map<string, Promise<string>>();

function answer(request: SynthesisRequest): Promise<string> {
  const path = pathFor(folder, request);
  const making = made.get(path) ?? make(path, request);
  made.set(path, making);
  return making;
}

async function make(path: string, request: SynthesisRequest): Promise<string> {
  const { synthesizeTo } = await import('./synthesized-app.ts');
  return makeOnce(path, (temporary) => synthesizeTo(temporary, request));
}
