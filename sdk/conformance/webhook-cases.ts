import { Webhook } from 'standardwebhooks';
import { runInVirtualTime } from './virtual-time.ts';

/** A delivery as a receiver gets it. */
export interface WebhookVector {
  readonly name: string;
  /** Test data. During a rotation a receiver knows several. */
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body, as text. */
  readonly body: string;
  /** The receiver's clock, in seconds since 1970. */
  readonly time: number;
  readonly expected: 'accepted' | 'refused';
}

const time = 1_795_176_851;
const id = '01KB3ZC4N7Z3QF4V6E5T8S9R2W';
const secret = `whsec_${Buffer.from('test data that signs no delivery').toString('base64')}`;
const otherSecret = `whsec_${Buffer.from('another secret, of test data too').toString('base64')}`;
const body = JSON.stringify({
  type: 'access.changed',
  timestamp: '2026-11-20T12:14:11.123Z',
  data: { id, action: 'access.changed', appId: 'billing', userId: 'ada', reason: 'left – “for good”' },
});

/** The headers of a delivery, signed by the library. */
function signed(by = secret, at = time, text = body): Record<string, string> {
  const signature = new Webhook(by).sign(id, new Date(at * 1000), text);
  return { 'webhook-id': id, 'webhook-timestamp': `${at}`, 'webhook-signature': signature };
}

const genuine = signed();
const signature = genuine['webhook-signature'] ?? '';
const otherSignature = signed(otherSecret)['webhook-signature'];

const cases: readonly (Partial<WebhookVector> & Pick<WebhookVector, 'name' | 'expected'>)[] = [
  { name: 'a delivery', expected: 'accepted' },
  { name: 'a delivery five minutes ago', time: time + 300, expected: 'accepted' },
  { name: 'a delivery five minutes ahead', time: time - 300, expected: 'accepted' },
  {
    name: 'two signatures, the second by this secret',
    headers: { ...genuine, 'webhook-signature': `${otherSignature} ${signature}` },
    expected: 'accepted',
  },
  {
    name: 'a signature of another version before the right one',
    headers: { ...genuine, 'webhook-signature': `v1a,AAAA ${signature}` },
    expected: 'accepted',
  },
  { name: 'another secret', headers: signed(otherSecret), expected: 'refused' },
  { name: 'another body', body: body.replace('ada', 'eve'), expected: 'refused' },
  { name: 'the same JSON with a space', body: body.replace(':', ': '), expected: 'refused' },
  { name: 'another id', headers: { ...genuine, 'webhook-id': `${id.slice(0, -1)}X` }, expected: 'refused' },
  { name: 'another time', headers: { ...genuine, 'webhook-timestamp': `${time + 1}` }, expected: 'refused' },
  { name: 'a delivery 301 seconds ago', time: time + 301, expected: 'refused' },
  { name: 'a delivery 301 seconds ahead', time: time - 301, expected: 'refused' },
  { name: 'a time that is no number', headers: { ...genuine, 'webhook-timestamp': 'now' }, expected: 'refused' },
  { name: 'no signature', headers: without('webhook-signature'), expected: 'refused' },
  { name: 'no id', headers: without('webhook-id'), expected: 'refused' },
  { name: 'no time', headers: without('webhook-timestamp'), expected: 'refused' },
  { name: 'an empty signature', headers: { ...genuine, 'webhook-signature': 'v1,' }, expected: 'refused' },
  {
    name: 'the right signature as that of another version',
    headers: { ...genuine, 'webhook-signature': signature.replace('v1,', 'v2,') },
    expected: 'refused',
  },
  {
    name: 'a signature without its version',
    headers: { ...genuine, 'webhook-signature': signature.replace('v1,', '') },
    expected: 'refused',
  },
];

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(genuine).filter(([other]) => other !== name));
}

/** All deliveries. Throws if the library decides otherwise about one. */
export async function buildWebhooks(): Promise<WebhookVector[]> {
  const vectors = cases.map((each) => ({ secret, headers: genuine, body, time, ...each }));
  for (const { name, secret: known, body: text, headers, time: now, expected } of vectors) {
    const verify = async () => new Webhook(known).verify(text, { ...headers });
    const verified = await runInVirtualTime({ start: now * 1000, random: 0 }, verify).then(
      () => 'accepted',
      () => 'refused',
    );
    if (verified !== expected) throw new Error(`${name}: the library says ${verified}`);
  }
  return vectors;
}
