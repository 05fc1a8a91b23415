import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { hashInputs, makeOnce, openCache, pathFor } from './synthesis-cache.ts';

const folder = openCache();
const made = mkdtempSync(join(folder, 'test-'));
afterAll(() => rmSync(made, { recursive: true }));

test('the key of the stack cache is stable while no input changes', () => {
  expect(openCache()).toBe(folder);
  expect(folder.endsWith(hashInputs())).toBe(true);
});

test('the path of a result in the stack cache depends on the values of the request, not on their order', () => {
  const path = pathFor(folder, { kind: 'template', context: { stage: 'prod', region: 'eu-central-1' } });
  expect(pathFor(folder, { context: { region: 'eu-central-1', stage: 'prod' }, kind: 'template' })).toBe(path);
  expect(pathFor(folder, { kind: 'template', context: { stage: 'dev', region: 'eu-central-1' } })).not.toBe(path);
});

test('a cached stack is not generated again', async () => {
  const target = pathFor(folder, { test: made });
  const write = (text: string) => makeOnce(target, (path) => writeFileSync(path, text));
  expect(await Promise.all([write('one'), write('two')])).toEqual([target, target]);
  const first = readFileSync(target, 'utf8');
  expect(await write('three')).toBe(target);
  expect(readFileSync(target, 'utf8')).toBe(first);
  rmSync(target);
});

test('a stack that fails to synthesize is not cached', async () => {
  const target = pathFor(folder, { failing: made });
  let temporary = '';
  const failing = makeOnce(target, (path) => {
    temporary = path;
    writeFileSync(path, 'half');
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect([existsSync(target), existsSync(temporary)]).toEqual([false, false]);
});

test('a stack generated while an input changed is returned, but not cached', async () => {
  const target = join(made, 'of-other-inputs');
  const path = await makeOnce(target, (temporary) => writeFileSync(temporary, 'new'));
  expect(path).not.toBe(target);
  expect([existsSync(target), readFileSync(path, 'utf8')]).toEqual([false, 'new']);
});
