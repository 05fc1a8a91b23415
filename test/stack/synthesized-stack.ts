import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestSynthesis } from '../support/synthesis.ts';
import type { SmallStack } from '../support/synthesis-server.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: unknown;
  readonly DependsOn?: unknown;
}

/** The parts of a CloudFormation template that the tests use. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** Context values in command-line format. */
export type Context = Readonly<Record<string, string>>;

/** Replaces the built dashboard, which may or may not exist. */
export const builtDashboard = join(import.meta.dirname, 'built-dashboard');

/**
 * Synthesizes the stack's template under the flags of `cdk.json`, without the dashboard unless the context names one.
 */
export async function synthesizeTemplate(context: Context = {}): Promise<Template> {
  return readTemplate(await requestSynthesis({ kind: 'template', context }));
}

/** Does the same with the rules of cdk-nag and the CDK's own for templates; throws their findings. */
export async function synthesizeChecked(context: Context, { unsafe = false } = {}): Promise<Template> {
  return readTemplate(await requestSynthesis({ kind: 'checked-template', context, unsafe }));
}

/** Returns the folder with the template, the functions' bundles and the files of the documents; read-only. */
export function synthesizeAssembly(context: Context): Promise<string> {
  return requestSynthesis({ kind: 'assembly', context });
}

/** Synthesizes one of the small stacks beside the service's. */
export async function synthesizeSmallStack(
  kind: SmallStack,
  context: Context,
): Promise<{ readonly template: Template; readonly region: string; readonly terminationProtection: boolean }> {
  return JSON.parse(readFileSync(await requestSynthesis({ kind, context }), 'utf8'));
}

/** Reads the template of an assembly. */
export function templateIn(assembly: string): Template {
  const [name = ''] = globSync('AuthService-*.template.json', { cwd: assembly });
  return readTemplate(join(assembly, name));
}

/** Returns the resources of one type by their logical ids. */
export function resourcesOf(template: Template, type: string): Map<string, TemplateResource> {
  return new Map(Object.entries(template.Resources).filter(([, { Type }]) => Type === type));
}

/** Returns the only resource of a type, with its logical id. */
export function onlyResource(template: Template, type: string): [string, TemplateResource] {
  const [entry, ...others] = resourcesOf(template, type);
  if (entry === undefined || others.length > 0) throw new Error(`Not exactly one ${type} in the template`);
  return entry;
}

/** Returns the root key of a version, such as `k1`, with its logical id. */
export function rootKeyOf(template: Template, version: string): [string, TemplateResource] {
  const found = Object.entries(template.Resources).filter(
    ([id, { Type }]) => /^AWS::KMS::(Replica)?Key$/.test(Type) && id.startsWith(`RootKey${version.toUpperCase()}`),
  );
  const [entry, ...others] = found;
  if (entry === undefined || others.length > 0) throw new Error(`Not exactly one root key ${version} in the template`);
  return entry;
}

/** Returns the functions by their file names. */
export function functionsOf(template: Template): Map<string, TemplateResource> {
  const functions = resourcesOf(template, 'AWS::Lambda::Function').values();
  return new Map([...functions].map((fn) => [nameOf(fn), fn]));
}

/** Returns the logical ids of the functions by their file names. */
export function functionIdsOf(template: Template): Map<string, string> {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  return new Map([...functions].map(([id, fn]) => [nameOf(fn), id]));
}

/** Returns the file name of a function. */
export function nameOf(fn: TemplateResource): string {
  return String(fn.Properties.Description).replace('auth-service: ', '');
}

/** Returns the logical id that a `Ref` or `Fn::GetAtt` names; undefined if the value is neither. */
export function referredId(value: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = Object(value) as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0];
}

function readTemplate(path: string): Template {
  return JSON.parse(readFileSync(path, 'utf8'));
}
