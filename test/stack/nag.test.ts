import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { addNag } from '../../lib/nag.ts';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'auth-service-'));
});
afterEach(() => rmSync(outdir, { recursive: true }));

test('a stack with a finding is not synthesized', () => {
  const { app, stack } = appWithNag();
  new Bucket(stack, 'Bucket');
  expect(() => app.synth()).toThrow('AwsSolutions-S1');
});

test('a warning of the rules also counts, even next to an acknowledged one', () => {
  const { app, stack } = appWithNag();
  acknowledgeUnrestorable(addUnrestorableTable(stack, 'First'));
  addUnrestorableTable(stack, 'Second');
  expect(() => app.synth()).toThrow('Bad/Second');
});

test('an acknowledged finding passes', () => {
  const { app, stack } = appWithNag();
  acknowledgeUnrestorable(addUnrestorableTable(stack, 'First'));
  expect(() => app.synth()).not.toThrow();
});

test('a template that has passed is checked again without its acknowledgement', () => {
  const passed = appWithNag();
  const reason = 'Nothing to restore.';
  Validations.of(addUnrestorableTable(passed.stack, 'First')).acknowledge({ id: 'AwsSolutions-DDB3', reason });
  passed.app.synth();
  const { app, stack } = appWithNag();
  addUnrestorableTable(stack, 'First');
  expect(() => app.synth()).toThrow('Bad/First');
});

function addUnrestorableTable(stack: Stack, id: string): Table {
  return new Table(stack, id, { partitionKey: { name: 'pk', type: AttributeType.STRING } });
}

/** Uses the id that the report proposes, by which the CDK itself, not the rule pack, removes the finding. */
function acknowledgeUnrestorable(table: Table): void {
  Validations.of(table).acknowledge({ id: 'AwsSolutions::AwsSolutions-DDB3', reason: 'Nothing to restore.' });
}

/** In this mode the CDK throws its report instead of printing it. */
function appWithNag() {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ outdir, context: { '@aws-cdk/core:appMode': 'inmemory' } });
  addNag(app);
  return { app, stack: new Stack(app, 'Bad') };
}
