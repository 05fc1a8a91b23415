import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const testKey = { accessKeyId: 'AKIATEST', secretAccessKey: 'test-secret', region: 'eu-test-1' };

/** The error in a Signature Version 4, checked against AWS's specification without a library; undefined if it is correct. */
export function faultOfSigv4({ method, url = '', headers }: IncomingMessage, body: string): string | undefined {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, credential, names, signature] = pattern.exec(headers.authorization ?? '') ?? [];
  if (names === undefined) return 'has no signature';
  const at = String(headers['x-amz-date']);
  const scope = `${at.slice(0, 8)}/${testKey.region}/lambda/aws4_request`;
  if (credential !== `${testKey.accessKeyId}/${scope}`) return `is signed for ${credential}`;
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.split(';').includes(name)))
    return 'covers less';
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'has another body';
  if (Math.abs(momentOf(at) - Date.now()) > 60_000) return `is of ${at}`;
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path.split('/').map(encodeURIComponent).join('/'),
    query.split('&').sort().join('&'),
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${testKey.secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature ? undefined : 'does not match';
}

function momentOf(amzDate: string): number {
  return Date.parse(amzDate.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
