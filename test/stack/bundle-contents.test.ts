import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { documentationOf } from '#shared/contract/documents.ts';
import type { Operation } from '#shared/contract/operation.ts';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';
import { bundleOptions } from '../../lib/functions/bundle-function.ts';

async function bundle(name: string) {
  const { outputFiles, metafile } = await build({
    ...bundleOptions([name]),
    outdir: 'unwritten',
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { text: outputFiles[0]?.text ?? '', modules: inputs.map(([path]) => path) };
}

const documentation = Object.values<Operation>({ ...serviceOperations, ...manageOperations }).map(documentationOf);
const functions = [
  ...Object.keys(serviceOperations),
  'manage',
  'publish-changes',
  'number-changes',
  'refuse-unknown-route',
  'issue-canary-key',
  'run-canary',
];

test.each(functions)(
  '%s contains no description and no example of an operation or a field, and no schema of an answer',
  async (name) => {
    const { text, modules } = await bundle(name);
    const prose = documentation.flatMap(({ summary, description }) => [summary, description ?? summary]);
    const ofFields = [
      'The user, by the id that your applications share.',
      'What the key may do.',
      'The e-mail address.',
    ];
    const ofExamples = ['Ada Lovelace', 'left the team', '01KB3ZC4N7Z3QF4V6E5T8S9R2W'];
    expect([...prose, ...ofFields, ...ofExamples].filter((words) => text.includes(words))).toEqual([]);
    expect(
      modules.filter((path) => /contract\/(?:[\w-]*(?:documents|answers)|descriptions|examples)\.ts$/.test(path)),
    ).toEqual([]);
  },
);

test.each([
  ['publish-changes', 'client-dynamodb'],
  ['number-changes', 'client-eventbridge'],
])('%s, one of two readers of the stream, does not contain the client of the other one: %s', async (name, client) => {
  const { modules } = await bundle(name);
  expect(modules.filter((path) => path.includes(`/${client}/`))).toEqual([]);
});

// One of them describes the fields of the resources.
test("a GET loads at most 56 of the project's modules", async () => {
  const { modules } = await bundle('get-access');
  expect(modules.filter((path) => !path.includes('node_modules')).length).toBeLessThanOrEqual(56);
});
