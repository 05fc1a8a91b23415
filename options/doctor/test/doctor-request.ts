import { createHash, createHmac } from 'node:crypto';
import { createdSeconds, parameters, testKey } from '../../../examples/vector-cases.ts';

/** The deviations from a correct signature; each defaults to the correct value. */
export interface SignedWrongly {
  readonly method?: string;
  readonly target?: string;
  readonly host?: string;
  readonly body?: string;
  /** Changes the base before its MAC is computed. */
  readonly base?: (base: string) => string;
  readonly secret?: string | Buffer;
  readonly params?: (params: string) => string;
  readonly mac?: (mac: Buffer) => string;
  /** Changes the request after it was signed. */
  readonly sent?: (text: string) => string;
}

export const sentAt = new Date(createdSeconds * 1000).toISOString();

/** A raw request whose signature is computed with `node:crypto` alone. */
export function signWrongly(wrongly: SignedWrongly = {}): string {
  const { method = 'PUT', target = '/api/service/users/ada/access', host = 'auth.example.com' } = wrongly;
  const { body = method === 'GET' ? '' : '{"status":"enabled"}', secret = testKey.secret } = wrongly;
  const [path = '', query] = target.split('?');
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const values: [string, string][] = [
    ['@method', method],
    ['@authority', host.toLowerCase()],
    ['@path', path],
    ...(query === undefined ? [] : [['@query', `?${query}`] as [string, string]]),
    ...(body === '' ? [] : [['content-digest', digest] as [string, string]]),
  ];
  const { nonce, keyId } = { ...parameters, keyId: testKey.id };
  const list = values.map(([name]) => `"${name}"`).join(' ');
  const sentParams = `(${list});created=${createdSeconds};nonce="${nonce}";keyid="${keyId}"`;
  const params = (wrongly.params ?? String)(sentParams);
  const lines = [...values.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${params}`];
  const mac = createHmac('sha256', secret)
    .update((wrongly.base ?? String)(lines.join('\n')))
    .digest();
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Digest: ${digest}`]),
    `Signature-Input: sig1=${params}`,
    `Signature: sig1=:${(wrongly.mac ?? ((bytes) => bytes.toString('base64')))(mac)}:`,
  ];
  return (wrongly.sent ?? String)(`${head.join('\n')}\n\n${body}`);
}
