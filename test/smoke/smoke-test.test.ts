import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';
import { bearerEndpoints } from '../../lib/options/endpoint-sets.ts';
import { startDynamodb } from '../../local/dynamodb-process.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { runStack } from '../../local/run-stack.ts';
import { managementPhases, managementProbes } from '../../smoke/management-probes.ts';
import { synthesizeAssembly } from '../stack/synthesized-stack.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { describeService } from '../support/describe-service.ts';
import { bareEnvironment, withoutSettling } from '../support/environments.ts';
import { eventually } from '../support/eventually.ts';
import { runRoot } from '../support/run-root.ts';
import { startBundles } from '../support/start-service.ts';

const root = join(import.meta.dirname, '../..');

// With the readers of the stream, one of which delivers a webhook.
const service = describeService(startBundles);

describe('the smoke test', () => {
  test('has a probe of every operation of the Management API, and tries each once', () => {
    const tried = Object.values(managementPhases).flat();
    expect(Object.keys(managementProbes).sort()).toEqual(Object.keys(manageOperations).sort());
    expect([...tried].sort()).toEqual(Object.keys(manageOperations).sort());
  });

  test('finds everything as expected, prints each result, and cleans up', async () => {
    const before = await itemsThatStay();
    const { code, lines } = await runSmoke();
    expect([code, lines.filter((line) => line.startsWith('FAILED'))]).toEqual([0, []]);
    for (const { name, method, path } of [...Object.values(serviceOperations), ...Object.values(manageOperations)]) {
      expect(
        lines.filter((line) => line.startsWith('ok ') && line.includes(` ms  ${name}  ${method} ${path}`)),
      ).toHaveLength(1);
    }
    for (const code of ['409 nonce_replayed', '401 signature_mismatch', '401 key_revoked']) {
      expect(lines.filter((line) => line.startsWith('ok ') && line.endsWith(`: ${code}`))).toHaveLength(1);
    }
    for (const { name, scope } of bearerEndpoints) {
      const refusal = lines.filter((line) => line.includes(` ms  ${name}  refuses an unknown token: `));
      expect([name, refusal.length]).toEqual([name, scope === null ? 0 : 1]);
    }
    expect(
      lines.some((line) =>
        line.endsWith('evaluate-access  decides as the Service API does: disabled, as the Service API says'),
      ),
    ).toBe(true);
    expect(lines.some((line) => line.endsWith('scim-users  answers a directory: no users'))).toBe(true);
    expect(lines.some((line) => line.endsWith('scim-groups  adds a member and removes it: no members'))).toBe(true);
    expect(lines.find((line) => line.includes('list-webhook-attempts'))).toContain(': there is no such receiver: ');
    for (const provider of ['Okta', 'Hydra']) {
      const decision = `decides a login through ${provider}: disabled, as the Service API says`;
      expect(lines.some((line) => line.endsWith(decision))).toBe(true);
    }
    expect(lines.find((line) => line.includes('list-changes'))).toMatch(/the block reached the feed \d+ ms after/);
    expect(await itemsLeft(before)).toEqual(before);
  });

  test('finds everything as expected without any setting, and where every change requires a reason', async () => {
    const dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
    const stack = await runStack({
      assembly: await synthesizeAssembly({}),
      tableName: process.env.TABLE_NAME ?? '',
      root: runRoot,
      dynamodb: dynamodb.endpoint,
      environment: { ...withoutSettling, REQUIRE_REASON: 'all' },
      log: () => undefined,
    });
    try {
      // The run itself waits for each answer only as long as the command line does.
      await createManageClient(stack.manageUrl, stack.accessKey)('GET', '/operator');
      const { accessKeyId, secretAccessKey } = { ...localAccess, ...stack.accessKey };
      const { code, lines } = await runSmoke({
        API_URL: `${stack.url}/`,
        MANAGE_URL: stack.manageUrl,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      });
      expect([code, lines.filter((line) => line.startsWith('FAILED'))]).toEqual([0, []]);
      const without = lines.filter((line) => line.endsWith('only with the setting endpoints = scim'));
      expect(without).toHaveLength(4);
      expect(lines.some((line) => line.endsWith(': this deployment delivers no webhooks'))).toBe(true);
    } finally {
      await stack.close();
      await dynamodb.stop();
    }
  });

  test('takes the addresses from the outputs of a deployment', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'auth-service-smoke-'));
    const outputs = { 'AuthService-staging': { ApiUrl: `${service.url}/`, ManageUrl: service.manageUrl } };
    writeFileSync(join(folder, 'outputs.json'), JSON.stringify(outputs));
    const args = ['--outputs', join(folder, 'outputs.json'), '--clean-up', '0123456789'];
    const { code, lines } = await runSmoke({ API_URL: '', MANAGE_URL: '' }, undefined, args);
    expect([code, lines]).toEqual([0, ['Nothing is left of run 0123456789.']]);
  });

  test('exits with 1 after an unexpected response, and cleans up', async () => {
    const before = await itemsThatStay();
    // The child receives a different response than the service has sent.
    const lie = `const send = fetch; globalThis.fetch = async (url, init) => { const answer = await send(url, init);
      if (init.method !== 'PUT' || !String(url).includes('/api/service/')) return answer;
      return new Response((await answer.text()).replace('"disabled"', '"enabled"').replace('"effectiveStatus":"disabled"', '"effectiveStatus":"enabled"'), answer); }`;
    const { code, lines } = await runSmoke({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(lie)}`,
    });
    expect([code, lines.filter((line) => line.startsWith('FAILED')).join()]).toEqual([
      1,
      expect.stringMatching(/set-access .*: effectiveStatus is "enabled", not "disabled"/),
    ]);
    expect(lines.at(-2)).toContain('nothing left behind');
    expect(await itemsLeft(before)).toEqual(before);
  });

  test.each(['set-access  PUT', 'issue-connection-key  POST'])(
    'cleans up when it is interrupted after %s, and exits with 130',
    async (step) => {
      const before = await itemsThatStay();
      const { code, lines } = await runSmoke({}, (line) => line.includes(step));
      expect(code).toBe(130);
      expect(lines.some((line) => line.includes('delete-application'))).toBe(false);
      expect(lines.at(-2)).toContain('nothing left behind');
      expect(await itemsLeft(before)).toEqual(before);
    },
  );

  test('refuses to start without the two addresses, and prints help', async () => {
    const missing = await runSmoke({ API_URL: '' });
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining('API_URL and MANAGE_URL')]);
    const help = await runSmoke({}, undefined, ['--help']);
    expect([help.code, help.lines.join('\n')]).toEqual([0, expect.stringContaining('Exit code:')]);
  });
});

interface Run {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

/** Runs it as a process; `stopAt` decides after each line whether to interrupt it. */
async function runSmoke(
  env: Readonly<Record<string, string>> = {},
  stopAt: (line: string) => boolean = () => false,
  args: readonly string[] = [],
): Promise<Run> {
  const { region, accessKeyId, secretAccessKey } = { ...localAccess, ...service.accessKey };
  const child = spawn(process.execPath, [join(root, 'smoke/run-smoke.ts'), ...args], {
    cwd: root,
    env: {
      ...bareEnvironment,
      API_URL: `${service.url}/`,
      MANAGE_URL: service.manageUrl,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const errors = text(child.stderr);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (stopAt(line)) child.kill('SIGINT');
  }
  const [code] = await closed;
  return { code, lines, errors: await errors };
}

/** The items that stay, once what options do with a deletion afterwards is done. */
function itemsLeft(expected: readonly string[]): Promise<string[]> {
  return eventually(itemsThatStay, (items) => items.join() === expected.join());
}

/** The items without a `ttl`, except the marks of applications, whose ids can never be used again. */
async function itemsThatStay(): Promise<string[]> {
  const items = [...(await service.items())].filter(([, item]) => item.ttl === undefined);
  return items
    .map(([key]) => key)
    .filter((key) => !/^(APP|CONNECTION)#(?:smoke|scim|scim-members)-[0-9a-v]{10} \1$/.test(key));
}
