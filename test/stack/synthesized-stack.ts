import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdk from '../../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../../lib/auth-service-stack.ts';
import { readSettings } from '../../lib/settings.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: unknown;
}

/** One for all stacks of a test file, which so share their bundles; has the assembly of the last one. */
export const outdir = mkdtempSync(join(tmpdir(), 'auth-service-'));
afterAll(() => rmSync(outdir, { recursive: true }));

/** The stack's template under the flags of `cdk.json`, without the dashboard unless the context names one; `synth.test.ts` has it checked by the rules for templates. */
export function synthesizeTemplate(context: Record<string, string> = {}): Template {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ context: { ...cdk.context, dashboard: 'none', ...context }, outdir });
  return Template.fromStack(new AuthServiceStack(app, 'AuthService', readSettings(app.node)));
}

/** The resources of one type by their logical ids. */
export function resourcesOf(template: Template, type: string): Map<string, TemplateResource> {
  return new Map(Object.entries(template.findResources(type) as Record<string, TemplateResource>));
}

/** The logical id and the only resource of a type. */
export function onlyResource(template: Template, type: string): [string, TemplateResource] {
  const [entry, ...others] = resourcesOf(template, type);
  if (entry === undefined || others.length > 0) throw new Error(`Not exactly one ${type} in the template`);
  return entry;
}

/** The functions by the names of their files. */
export function functionsOf(template: Template): Map<string, TemplateResource> {
  const functions = resourcesOf(template, 'AWS::Lambda::Function').values();
  return new Map([...functions].map((fn) => [nameOf(fn), fn]));
}

/** The name of a function's file. */
export function nameOf(fn: TemplateResource): string {
  return String(fn.Properties.Description).replace('auth-service: ', '');
}

/** The logical id that a `Ref` or `Fn::GetAtt` names, undefined if the value is neither. */
export function referredId(value: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = Object(value) as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0];
}
