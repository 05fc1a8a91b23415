import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isInRollout, murmur3, rolloutBucket } from '#shared/contract/rollout.ts';
import rolloutVectors from '../../examples/rollout-vectors.json' with { type: 'json' };
import { needing } from '../support/needing.ts';
import type { ToolName } from '../support/tools.ts';

const execute = promisify(execFile);
const examples = join(import.meta.dirname, '../../examples');
const folder = join(examples, 'rollout');

interface Example {
  readonly tools: readonly ToolName[];
  readonly command: string;
}

/** How each language runs its example; `$out` is the folder for compiled files. */
const languages: Readonly<Record<string, Example>> = {
  'rollout.sh': { tools: [], command: 'bash rollout.sh' },
  'rollout.py': { tools: ['Python'], command: 'python3 rollout.py' },
  'rollout.go': { tools: ['Go'], command: 'go build -o $out/rollout rollout.go && $out/rollout' },
  'Rollout.java': {
    tools: ['Java'],
    command: 'javac -Xlint:all -Werror -d $out Rollout.java && java -XX:TieredStopAtLevel=1 -cp $out Rollout',
  },
  'rollout.php': { tools: ['PHP'], command: 'php rollout.php' },
  'rollout.rb': { tools: ['Ruby'], command: 'ruby -w rollout.rb' },
  'Rollout.cs': {
    tools: ['C#'],
    command: 'mcs -warnaserror -out:$out/rollout.exe Rollout.cs && mono $out/rollout.exe',
  },
};

let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'auth-service-rollout-'));
});
afterAll(() => rm(out, { recursive: true }));

describe('the vectors of the rollout', () => {
  needing('PHP').test("the file equals the output of `npm run build:vectors`, which uses PHP's MurmurHash3", () => {
    const printed = execFileSync('php', [join(examples, 'build-rollout-vectors.php')], { encoding: 'utf8' });
    expect(rolloutVectors).toEqual(JSON.parse(printed));
  });

  test.each(rolloutVectors)('the service puts $userId of $appId into bucket $bucket', (vector) => {
    const { appId, userId, hash, bucket, lowestPercent } = vector;
    expect([murmur3(`${appId}:${userId}`), rolloutBucket(appId, userId)]).toEqual([hash, bucket]);
    const below = Math.round(lowestPercent * 100 - 1) / 100;
    expect([below, lowestPercent].map((percent) => isInRollout(appId, userId, percent))).toEqual([false, true]);
  });

  test('cover each length modulo four, the first and the last bucket, and multi-byte characters', () => {
    const lengths = rolloutVectors.map(({ appId, userId }) => Buffer.byteLength(`${appId}:${userId}`) % 4);
    expect(new Set(lengths)).toEqual(new Set([0, 1, 2, 3]));
    expect(rolloutVectors.map(({ bucket }) => bucket)).toEqual(expect.arrayContaining([0, 9999]));
    expect(rolloutVectors.filter(({ userId }) => /[^ -~]/.test(userId)).length).toBeGreaterThanOrEqual(3);
  });
});

/** Values from two other implementations: the packages murmurhash3js-revisited and murmurhash 2.0.1. */
test.each([
  ['', 0],
  ['a', 1009084850],
  ['ab', 2613040991],
  ['abc', 3017643002],
  ['abcd', 1139631978],
  ['crm:ada', 2573161926],
  ['crm:zoe', 2137775057],
  ['crm:auth0|123', 2498459931],
  ['billing:ada', 2350331995],
  [`crm:${'x'.repeat(128)}`, 2314327328],
  ['crm:josé', 1468331013],
  ['crm:😀', 2749575871],
])('the MurmurHash3 of "%s" is %d', (text, hash) => {
  expect(murmur3(text)).toBe(hash);
});

needing('PHP').test("the MurmurHash3 of any text equals PHP's", () => {
  const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 2000, seed: 12 });
  const script =
    'foreach (json_decode(stream_get_contents(STDIN)) as $text) echo hexdec(hash("murmur3a", $text)), "\n";';
  const printed = execFileSync('php', ['-r', script], { input: JSON.stringify(texts), encoding: 'utf8' });
  expect(texts.map((text) => String(murmur3(text)))).toEqual(printed.trim().split('\n'));
});

test('each language of the signers has an example', async () => {
  expect((await readdir(folder)).sort()).toEqual(Object.keys(languages).sort());
});

for (const [file, { tools, command }] of Object.entries(languages)) {
  needing(...tools).test(`the example ${file} agrees with the vectors`, async () => {
    const cases = rolloutVectors.flatMap(({ appId, userId, bucket, lowestPercent }) => [
      { line: `${appId} ${userId} ${bucket / 100}`, says: `${bucket} out` },
      { line: `${appId} ${userId} ${lowestPercent}`, says: `${bucket} in` },
      { line: `${appId} ${userId} 0`, says: `${bucket} out` },
      { line: `${appId} ${userId} 100`, says: `${bucket} in` },
    ]);
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const running = execute('sh', ['-c', command.replaceAll('$out', out)], { cwd: folder, env });
    running.child.stdin?.end(cases.map(({ line }) => `${line}\n`).join(''));
    const { stdout } = await running;
    expect(stdout.trim().split('\n')).toEqual(cases.map(({ says }) => says));
  });
}
