import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { metricNames } from '#shared/contract/metrics.ts';
import { resourcesOf, synthesizeTemplate } from '../stack/synthesized-stack.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const [, ...allSections] = text.split(/^## /m);
const others = ['A deployment that is stuck'];
const sections = allSections.filter((section) => !others.includes(section.split('\n', 1)[0] ?? ''));

test('the runbook says for every alarm what it means, what to look at and what to do', async () => {
  const webhook = { stage: 'prod', webhookUrl: 'https://hooks.example.com', webhookSecretName: 'auth-service/webhook' };
  const alarms = [...resourcesOf(await synthesizeTemplate(webhook), 'AWS::CloudWatch::Alarm').values()];
  const names = alarms.map(({ Properties }) => String(Properties.AlarmDescription).split('docs/runbook.md#')[1] ?? '');
  expect(sections.map((section) => section.split('\n', 1)[0])).toEqual([...new Set(names)]);
  for (const section of sections) expect(section).toMatch(/\*\*Means:\*\*.*\*\*Look at:\*\*.*\*\*Do:\*\*/s);
});

test('every metric that the runbook names exists', () => {
  const named = text.match(/`Changes[A-Z][A-Za-z]+`/g)?.map((name) => name.slice(1, -1)) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !(name in metricNames))).toEqual([]);
});
