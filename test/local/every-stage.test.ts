import { expect, test } from '@jest/globals';
import { stages } from '../../lib/stages.ts';
import { type FunctionModel, readStack, type StackModel } from '../../local/read-stack.ts';
import { outdir, synthesizeTemplate } from '../stack/synthesized-stack.ts';

const names = { tableName: 'local-table', root: 'cm9vdA==' };

/** As the local run reads it, without what a stage is meant to differ in. */
function readStage(stage: string): StackModel {
  synthesizeTemplate({ stage });
  const stack = readStack(outdir, names);
  return { ...stack, functions: stack.functions.map(withoutStage) };
}

function withoutStage(model: FunctionModel): FunctionModel {
  const { SERVICE_NAME, CHANGE_RETENTION_DAYS, ...environment } = model.environment;
  return { ...model, environment };
}

const others = Object.keys(stages).filter((stage) => stage !== 'dev');

test.each(others)('what runs on this machine is what is deployed to %s, aliases or not', (stage) => {
  const dev = readStage('dev');
  expect(dev.routes.length).toBeGreaterThan(5);
  expect(readStage(stage)).toEqual(dev);
});
