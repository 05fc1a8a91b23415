import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocument } from '../support/run-document.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';

const root = join(import.meta.dirname, '../..');
const readme = await readDocument('README.md');

test('README asks in seven lines of TypeScript', () => {
  const [program = ''] = readme.section('## Ask').blocks('ts');
  expect(program.match(/^.+$/gm)).toHaveLength(7);
});

test('the page on the APIs lists every operation of the Service API with its scope, except those of webhooks', async () => {
  const page = await readDocument('docs/integrate/api.md');
  const rows = page.section('## Service API').text.matchAll(/^\| `(\S+) ([^`?]+)(?:\?[^`]*)?` .*\| `(\S+)` +\|$/gm);
  const listed = [...rows].map(([, method, path = '', scope]) => [method, `/api/service${path}`, scope]);
  const operations = everyEndpoint.map(({ method, path, scope }) => [method, path.replace(/\{(\w+)\}/g, ':$1'), scope]);
  expect(listed).toEqual(operations);
});

test('the README names the costs that the page on costs computes', () => {
  const costs = readFileSync(join(root, 'docs/operate/costs.md'), 'utf8');
  const [, question] = /^\| `GET access` .*\*\*([\d.]+)\*\*/m.exec(costs) ?? [];
  const [, idle] = /^\| \*\*together\*\* +\| \*\*([\d.]+)\*\*/m.exec(costs) ?? [];
  expect(readme.text).toContain(`A million questions cost [$${question}](docs/operate/costs.md)`);
  expect(readme.text).toContain(`an idle \`prod\` $${idle} a month`);
});

test('the README names every npm script for developers', () => {
  for (const script of ['start', 'test', 'run check', 'run synth', 'run deploy', 'run bench', 'run dashboard']) {
    expect(readme.text).toContain(`npm ${script}`);
  }
});

test('the Node that the README asks for is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(engines).toEqual({ node: '>=22' });
  expect(readme.text).toContain('Node 22 or 24');
});

test('the README has at most 110 lines and one picture', () => {
  expect(readme.text.split('\n').length).toBeLessThanOrEqual(111);
  expect(readme.text.match(/!\[/g)).toHaveLength(1);
  expect(existsSync(join(root, 'docs/images/user.png'))).toBe(true);
});
