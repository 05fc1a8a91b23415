import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Template as Assertions } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import cdk from '../../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../../lib/auth-service-stack.ts';
import { BackupVaultStack } from '../../lib/data/backup-vault-stack.ts';
import { RoleWatchStack } from '../../lib/monitoring/root-key-watch.ts';
import { SavedQueriesStack } from '../../lib/monitoring/saved-queries.ts';
import { addNag } from '../../lib/nag.ts';
import { selectSettings } from '../../lib/settings/given-settings.ts';
import { stages } from '../../lib/settings/stages.ts';
import { contextOf } from './stack-context.ts';
import type { SmallStack, SynthesisRequest } from './synthesis-server.ts';

/** One assembly folder for all templates; they share their assets, such as the 22 MB of tools that deploy the dashboard. */
const scratch = mkdtempSync(join(tmpdir(), 'auth-service-synthesis-'));
process.once('exit', () => rmSync(scratch, { recursive: true }));

/** Writes the result of a request to the path; rethrows the CDK's errors unchanged. */
export function synthesizeTo(path: string, request: SynthesisRequest): void {
  if (request.kind === 'assembly') return void synthesize(path, request.context);
  writeFileSync(path, JSON.stringify(resultOf(request)));
}

function resultOf({ kind, context, unsafe = false }: SynthesisRequest): object {
  if (kind === 'template') return synthesize(scratch, context);
  if (kind === 'checked-template') return synthesizeChecked(scratch, context, unsafe);
  if (kind === 'assembly') throw new Error('An assembly is written to its own folder');
  return synthesizeSmall(kind, context);
}

const smallStacks: Readonly<Record<SmallStack, (app: App, context: SynthesisRequest['context']) => Stack>> = {
  'role-watch': (app, { alarmEmail = '' }) => new RoleWatchStack(app, 'RoleWatch', { ...ofProd, alarmEmail }),
  'log-queries': (app) => new SavedQueriesStack(app, 'SavedQueries', ofProd),
  'backup-vault': (app, { lock }) =>
    new BackupVaultStack(app, 'BackupVault', {
      sourceAccount: '111122223333',
      minRetentionDays: 35,
      lock: lock === 'compliance' ? lock : 'governance',
    }),
};
const ofProd = {
  stage: stages.prod,
  region: undefined,
  account: undefined,
  bootstrap: 'standard',
  bootstrapQualifier: undefined,
} as const;

function synthesizeSmall(kind: SmallStack, context: SynthesisRequest['context']): object {
  const app = new App({ context: cdk.context, outdir: scratch, analyticsReporting: false });
  const stack = smallStacks[kind](app, context);
  const { region, terminationProtection } = stack;
  return { template: Assertions.fromStack(stack).toJSON(), region, terminationProtection };
}

function synthesize(outdir: string, context: SynthesisRequest['context']): object {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({
    context: { ...cdk.context, ...contextOf({ dashboard: 'none', ...context }) },
    outdir,
    analyticsReporting: false,
  });
  return templateOf(app, stackOf(app));
}

/** Synthesizes as the app does, with the rules of cdk-nag and of the CDK; in this mode the CDK throws their findings. */
function synthesizeChecked(outdir: string, context: SynthesisRequest['context'], unsafe: boolean): object {
  process.env.CDK_VALIDATION = 'true';
  const inMemory = { '@aws-cdk/core:appMode': 'inmemory' };
  const app = new App({
    context: { ...cdk.context, ...inMemory, ...contextOf(context) },
    outdir,
    analyticsReporting: false,
  });
  const stack = stackOf(app);
  if (unsafe) new Bucket(stack, 'Unsafe');
  addNag(app);
  return templateOf(app, stack);
}

/** The stack as `bin/auth-service.ts` names it. */
function stackOf(app: App): AuthServiceStack {
  const given = selectSettings(app.node);
  return new AuthServiceStack(app, stages[given.stage].stackName, given);
}

function templateOf(app: App, stack: AuthServiceStack): object {
  const { template } = app.synth().getStackArtifact(stack.artifactId);
  // Throws if its resources have circular dependencies.
  return Assertions.fromJSON(template).toJSON();
}
