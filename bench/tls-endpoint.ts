import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { warmUpAnswer } from '../lib/warm-up-server.ts';

/** An address with TLS, of a process of its own. */
export interface TlsEndpoint {
  readonly url: string;
  close(): void;
}

/**
 * Serves AWS's answers over TLS on loopback, where production has TLS too: over plain HTTP the SDK loads another part of
 * Node, which falsifies its cost. In front of a local DynamoDB if one is given, else with the same answers always.
 */
export async function startTlsEndpoint(directory: string, upstream?: string): Promise<TlsEndpoint> {
  const { key, cert } = makeCertificate(directory);
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', import.meta.filename, key, cert];
  const [program = '', ...options] = onLastCpu([...command, ...(upstream === undefined ? [] : [upstream])]);
  const child = spawn(program, options, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: `https://127.0.0.1:${String(port).trim()}`, close: () => child.stdin.end() };
}

/** A command that leaves the first processor to what is measured, where there are two. */
function onLastCpu(command: readonly string[]): readonly string[] {
  return cpus().length < 2 ? command : ['taskset', '-c', String(cpus().length - 1), ...command];
}

/** For this run alone; whoever connects does not verify it. */
function makeCertificate(directory: string) {
  const key = join(directory, 'tls-key.pem');
  const cert = join(directory, 'tls-certificate.pem');
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=127.0.0.1'];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key, cert };
}

if (process.argv[1] === import.meta.filename) serve(process.argv.slice(2));

function serve([key = '', cert = '', upstream]: readonly string[]): void {
  const credentials = { key: readFileSync(key), cert: readFileSync(cert) };
  const server =
    upstream === undefined ? createAnswering(credentials) : createForwarding(credentials, new URL(upstream));
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
  // The end of the bench, however it comes, is the end of this process.
  process.stdin.on('close', () => process.exit()).resume();
}

interface Credentials {
  readonly key: Buffer;
  readonly cert: Buffer;
}

function createAnswering(credentials: Credentials) {
  return createHttpsServer(credentials, async (request, response) => {
    const input = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = JSON.stringify(warmUpAnswer(String(request.headers['x-amz-target']), input));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': answer.length });
    response.end(answer);
  });
}

function createForwarding(credentials: Credentials, { hostname, port }: URL) {
  return createTlsServer(credentials, (client) => {
    const table = connect({ host: hostname, port: Number(port), noDelay: true });
    client.setNoDelay(true).pipe(table).pipe(client);
    client.on('error', () => table.destroy());
    table.on('error', () => client.destroy());
  });
}
