import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { root, tableName } from './bench-environment.ts';
import { askAws } from './count-capacity.ts';

/** A function's environment when all of AWS is at one address. */
export function awsEnvironment(url: string): Record<string, string> {
  return {
    TABLE_NAME: tableName,
    POWERTOOLS_SERVICE_NAME: 'auth-service',
    POWERTOOLS_METRICS_NAMESPACE: 'AuthService',
    WEBHOOK_FORMATS: 'standard',
    ROOT_KEYS: 'k1=arn:aws:kms:eu-west-1:111122223333:key/bench',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_ENDPOINT_URL: url,
    // The certificate is self-signed, for this run.
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
  };
}

/** The answer to one request of the SDK: KMS knows one key, reads are DynamoDB's, and every write succeeds and changes nothing. */
export async function answerAws(target: string, body: Buffer, dynamodb: string): Promise<string> {
  const [, operation = ''] = target.split('.');
  if (operation === 'GenerateMac') return JSON.stringify({ Mac: root.toString('base64') });
  if (!/^(?:BatchGetItem|GetItem|Query)$/.test(operation)) return '{}';
  return (await askAws(dynamodb, target, body)).text();
}

/** The stand-in in its own process. */
export interface AwsStandIn {
  readonly url: string;
  close(): void;
}

/**
 * Serves these answers over TLS on loopback, because production uses TLS and over plain HTTP the SDK loads another part of
 * Node. It runs on the last processor and leaves the first to the measured process.
 */
export async function startAwsStandIn(dynamodb: string): Promise<AwsStandIn> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', import.meta.filename, dynamodb];
  const child = spawn('taskset', ['-c', String(cpus().length - 1), ...command], {
    env: process.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: `https://127.0.0.1:${String(port).trim()}`, close: () => child.stdin.end() };
}

if (process.argv[1] === import.meta.filename) serve(String(process.argv[2]));

function serve(dynamodb: string): void {
  // A key and its certificate, one after the other.
  const pem = execFileSync('openssl', 'req -x509 -newkey rsa:2048 -noenc -keyout - -subj /CN=127.0.0.1'.split(' '), {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const server = createServer({ key: pem, cert: pem }, async (request, response) => {
    const answer = await answerAws(String(request.headers['x-amz-target']), await buffer(request), dynamodb);
    const length = Buffer.byteLength(answer);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': length }).end(answer);
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
  // Ends when the bench does, even if the bench is killed.
  process.stdin.on('close', () => process.exit()).resume();
}
