import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeServer, listenOn } from '../../../local/listen.ts';

/** The signature in DER that KMS answers next. */
let answer: Buffer;
const server = createServer((_, response) => {
  const body = JSON.stringify({ Signature: answer.toString('base64') });
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
});
let signWithKms: typeof import('#shared/keys/kms.ts').signWithKms;
beforeAll(async () => {
  process.env.AWS_ENDPOINT_URL_KMS = `http://127.0.0.1:${await listenOn(server, 0)}`;
  ({ signWithKms } = await import('#shared/keys/kms.ts'));
});
afterAll(() => closeServer(server));

const keyArn = 'arn:aws:kms:local:000000000000:key/1';
const der = (...integers: readonly string[]) => {
  const parts = integers.map((hex) => `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`).join('');
  return Buffer.from(`30${(parts.length / 2).toString(16).padStart(2, '0')}${parts}`, 'hex');
};
const ff = 'ff'.repeat(32);
const short = '7f'.repeat(30);

test.each<[string, Buffer, string]>([
  ['of 32 bytes', der('7f'.repeat(32), '01'.repeat(32)), '7f'.repeat(32) + '01'.repeat(32)],
  ['whose first bit is set', der(`00${ff}`, `00${ff}`), ff + ff],
  ['of fewer bytes', der(short, '05'), `0000${short}${'05'.padStart(64, '0')}`],
])('the integers of a signature are next to each other in 32 bytes each: those %s', async (_, signature, joined) => {
  answer = signature;
  expect(Buffer.from(await signWithKms(keyArn, 'text')).toString('hex')).toBe(joined);
});

test('signatures of a real key verify in the form of a JWS', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (let n = 0; n < 20; n++) {
    const text = Buffer.from(`text ${n}`);
    answer = sign('sha256', text, privateKey);
    const signature = await signWithKms(keyArn, String(text));
    expect(verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  }
});
