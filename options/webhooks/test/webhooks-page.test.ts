import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { needing } from '#test/support/needing.ts';
import { readDocument } from '#test/support/run-document.ts';
import { webhookEndpoints } from '#test/support/service-endpoints.ts';
import { setOwnWebhookOperation } from '../contract/own-webhook.ts';
import { createWebhookOperation } from '../contract/webhook.ts';
import { standardPost } from '../delivery/standard-webhook.ts';

const run = promisify(execFile);
const { text } = await readDocument('docs/integrate/webhooks.md');
// Below the project, so that Node finds the package.
const folder = mkdtempSync(join(import.meta.dirname, '../../../.cache/webhooks-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

test("the page lists the requests for an application's own webhooks, and its examples are valid", () => {
  const rows = [...text.matchAll(/^\| `([A-Z]+) (\/api\/service\S+)`/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect(rows.sort()).toEqual(
    webhookEndpoints.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`).sort(),
  );
  const [, own = ''] = /^PUT \/api\/service\/webhooks\/backend\n(.*)$/m.exec(text) ?? [];
  const [, created = ''] = /^POST \/api\/manage\/applications\/billing\/webhooks\n(.*)$/m.exec(text) ?? [];
  expect(v.is(setOwnWebhookOperation.body, JSON.parse(own))).toBe(true);
  expect(v.is(createWebhookOperation.body, JSON.parse(created))).toBe(true);
});

const block = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? '';
const secret = Buffer.alloc(32, 7);
const event = {
  id: '01KAH4N7Z3QF4V6E5T8S9R2W1X',
  type: 'access.changed',
  timestamp: '2026-11-20T19:14:11.123Z',
  data: {},
};

/** A delivery as a file for the programs, and how it can be wrong. */
function delivery(how: 'valid' | 'altered' | 'old' | 'other secret' | 'during a rotation') {
  const at = new Date(Date.now() - (how === 'old' ? 301_000 : 0));
  const others = how === 'during a rotation' ? [Buffer.alloc(32, 9)] : [];
  const own = how === 'other secret' ? Buffer.alloc(32, 8) : secret;
  const { headers, body } = standardPost(event, [...others, own], at);
  return {
    secret: `whsec_${secret.toString('base64')}`,
    headers,
    body: how === 'altered' ? body.replace('access', 'Access') : body,
  };
}

async function isAccepted(command: readonly [string, string], how: Parameters<typeof delivery>[0]): Promise<boolean> {
  const file = join(folder, 'delivery.json');
  writeFileSync(file, JSON.stringify(delivery(how)));
  const [program, script] = command;
  return run(program, [script, file], { cwd: folder }).then(
    () => true,
    () => false,
  );
}

const expected = { valid: true, 'during a rotation': true, altered: false, old: false, 'other secret': false } as const;

async function verdicts(command: readonly [string, string]) {
  const found: Record<string, boolean> = {};
  for (const how of Object.keys(expected)) found[how] = await isAccepted(command, how as keyof typeof expected);
  return found;
}

test('the verification in Node accepts what the service sends, and nothing else', async () => {
  const script = join(folder, 'verify.mjs');
  const read =
    "import { readFileSync } from 'node:fs';\nconst { secret, headers, body } = JSON.parse(readFileSync(process.argv[2]));";
  writeFileSync(script, `${block('js')}\n${read}\nverify(secret, body, headers);\n`);
  expect(await verdicts([process.execPath, script])).toEqual(expected);
});

needing('Python').test('the verification in Python accepts what the service sends, and nothing else', async () => {
  const script = join(folder, 'verify.py');
  const read =
    'import json, sys\nd = json.load(open(sys.argv[1]))\nverify(d["secret"], d["body"].encode(), d["headers"])\n';
  writeFileSync(script, `${block('python')}\n${read}`);
  expect(await verdicts(['python3', script])).toEqual(expected);
});
