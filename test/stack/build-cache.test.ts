import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { buildOnce } from '../../lib/functions/build-cache.ts';
import { projectDirectory } from '../../lib/functions/function-files.ts';
import { addNag } from '../../lib/nag.ts';

const cache = join(projectDirectory, 'node_modules/.cache/auth-service');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'test-'));
const kind = relative(cache, join(folder, 'builds'));
afterAll(() => rmSync(folder, { recursive: true }));
const input = join(folder, 'input');

function build(key: string): { readonly text: string; readonly isNew: boolean } {
  let isNew = false;
  const built = buildOnce(kind, key, (empty) => {
    isNew = true;
    writeFileSync(join(empty, 'copy'), readFileSync(input));
    return [relative(projectDirectory, input)];
  });
  return { text: readFileSync(join(built, 'copy'), 'utf8'), isNew };
}

test('a build is repeated only if an input or its key has changed, and an earlier one is found again', () => {
  writeFileSync(input, 'one');
  expect(build('a')).toEqual({ text: 'one', isNew: true });
  expect(build('a')).toEqual({ text: 'one', isNew: false });
  writeFileSync(input, 'two');
  expect(build('a')).toEqual({ text: 'two', isNew: true });
  expect(build('b')).toEqual({ text: 'two', isNew: true });
  writeFileSync(input, 'one');
  expect(build('a')).toEqual({ text: 'one', isNew: false });
});

test('a build that fails is not kept', () => {
  const failing = () =>
    buildOnce(kind, 'c', () => {
      throw new Error('broken');
    });
  expect(failing).toThrow('broken');
  expect(build('c')).toMatchObject({ isNew: true });
});

test("a template with a finding of the CDK's rules is not remembered as valid", () => {
  const synthesize = () => {
    process.env.CDK_VALIDATION = 'true';
    const context = { '@aws-cdk/core:appMode': 'inmemory', '@aws-cdk/core:validateAgainstDefaultRules': true };
    const app = new App({ outdir: join(folder, 'out'), context, analyticsReporting: false });
    const queue = new CfnQueue(new Stack(app, 'Bad'), 'Queue');
    queue.addPropertyOverride('VisibilityTimeout', 'long');
    addNag(app);
    return app.synth();
  };
  for (const _ of ['first', 'second']) expect(synthesize).toThrow(/VisibilityTimeout/);
});
