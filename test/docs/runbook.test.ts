import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { metricNames } from '#shared/contract/metrics.ts';
import { formatKeyId } from '#shared/keys/key-id.ts';
import { resourcesOf, synthesizeTemplate } from '../stack/synthesized-stack.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/operate/runbook.md'), 'utf8');
const [introduction = '', ...allSections] = text.split(/^## /m);
const others = ['Access to the root keys', 'Backups', 'A deployment that is stuck'];
const sections = allSections.filter((section) => !others.includes(section.split('\n', 1)[0] ?? ''));

test('the runbook says for every alarm what it means, what to look at and what to do', async () => {
  const everything = {
    stage: 'prod',
    headsBucket: 'authservice-backupvault-heads',
    webhooks: 'standard,set',
    login: 'on',
  };
  const alarms = [...resourcesOf(await synthesizeTemplate(everything), 'AWS::CloudWatch::Alarm').values()];
  const names = alarms.map(
    ({ Properties }) => String(Properties.AlarmDescription).split('docs/operate/runbook.md#')[1] ?? '',
  );
  expect(sections.map((section) => section.split('\n', 1)[0])).toEqual([...new Set(names)]);
  for (const section of sections) expect(section).toMatch(/\*\*Means:\*\*.*\*\*Look at:\*\*.*\*\*Do:\*\*/s);
});

test('the runbook begins with a link to every section', () => {
  const linked = [...introduction.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  const anchors = allSections.map((section) => (section.split('\n', 1)[0] ?? '').toLowerCase().replaceAll(' ', '-'));
  expect(linked.sort()).toEqual(anchors.sort());
});

test.each([...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block))(
  'the commands of the runbook are valid bash: %s',
  async (block) => {
    await promisify(execFile)('bash', ['-n', '-c', block]);
  },
);

test('the commands of the runbook read outputs that exist, by a function from before the first of them, and deploy prod', async () => {
  const { Outputs } = await synthesizeTemplate({ stage: 'prod', headsBucket: 'authservice-backupvault-heads' });
  const named = [...text.matchAll(/\$\(out (\w+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in Outputs))).toEqual([]);
  expect(named.length).toBeGreaterThan(1);
  expect(text.indexOf('out() {')).toBeLessThan(text.indexOf('$(out '));
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block).join('');
  for (const [line] of blocks.matchAll(/^.*npm run deploy.*$/gm))
    expect(line).toMatch(/npm run deploy(:queries)? -- -c stage=prod/);
});

test('every metric that the runbook names exists', () => {
  const named = text.match(/`Changes[A-Z][A-Za-z]+`/g)?.map((name) => name.slice(1, -1)) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !(name in metricNames))).toEqual([]);
});

test('the queries of the runbook name what the lines of the log have, and their patterns fit a key', () => {
  const queries = [...text.matchAll(/^```\n(filter.*?)^```/gms)].map(([, query = '']) => query);
  expect(queries.length).toBeGreaterThan(2);
  const written = [
    'message',
    'requestId',
    'route',
    'status',
    'code',
    'appId',
    'keyId',
    'durationMs',
    'consumedCapacity',
  ];
  // Of the access log of API Gateway, whose format test/stack has.
  const gateway = ['routeKey', 'authorizerError', 'sourceIp'];
  const known = [...written, ...gateway, 'cold', 'app', '@timestamp'];
  for (const query of queries) {
    const names = query
      .replaceAll(/"[^"]*"|\/[^/]*\//g, '')
      .replaceAll(/\b(?:filter|parse|stats|sort|by|desc|and|in|count|pct|sum|max)\b(?:\(\))?/g, '');
    expect((names.match(/@?[a-z]\w+/gi) ?? []).filter((name) => !known.includes(name))).toEqual([]);
  }
  const [, pattern = ''] = /parse keyId \/(.*?)\/\n/.exec(text) ?? [];
  const keyId = formatKeyId({
    rootVersion: 'k12',
    appId: 'billing-eu' as AppId,
    ulid: '01JD0000000000000000000000',
  });
  expect(new RegExp(pattern).exec(keyId)?.groups).toEqual({ app: 'billing-eu' });
});
