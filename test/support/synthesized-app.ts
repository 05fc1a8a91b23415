import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import cdk from '../../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../../lib/auth-service-stack.ts';
import { addNag } from '../../lib/nag.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import type { SynthesisRequest } from './synthesis-server.ts';

/** One assembly folder for all templates; they share their assets, such as the 22 MB of tools that deploy the dashboard. */
const scratch = mkdtempSync(join(tmpdir(), 'auth-service-synthesis-'));
process.once('exit', () => rmSync(scratch, { recursive: true }));

/** Writes the result of a request to the path; rethrows the CDK's errors unchanged. */
export function synthesizeTo(path: string, { kind, context, unsafe = false }: SynthesisRequest): void {
  if (kind === 'assembly') return void synthesize(path, context);
  const template = kind === 'template' ? synthesize(scratch, context) : synthesizeChecked(scratch, context, unsafe);
  writeFileSync(path, JSON.stringify(template));
}

function synthesize(outdir: string, context: SynthesisRequest['context']): object {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({
    context: { ...cdk.context, settings: {}, dashboard: 'none', ...context },
    outdir,
    analyticsReporting: false,
  });
  return templateOf(app, new AuthServiceStack(app, 'AuthService', readSettings(app.node)));
}

/** Synthesizes as the app does, with the rules of cdk-nag and of the CDK; in this mode the CDK throws their findings. */
function synthesizeChecked(outdir: string, context: SynthesisRequest['context'], unsafe: boolean): object {
  process.env.CDK_VALIDATION = 'true';
  const inMemory = { '@aws-cdk/core:appMode': 'inmemory' };
  const app = new App({
    context: { ...cdk.context, settings: {}, ...inMemory, ...context },
    outdir,
    analyticsReporting: false,
  });
  const stack = new AuthServiceStack(app, 'AuthService', readSettings(app.node));
  if (unsafe) new Bucket(stack, 'Unsafe');
  addNag(app);
  return templateOf(app, stack);
}

function templateOf(app: App, stack: AuthServiceStack): object {
  const { template } = app.synth().getStackArtifact(stack.artifactId);
  // Throws if its resources have circular dependencies.
  return Template.fromJSON(template).toJSON();
}
