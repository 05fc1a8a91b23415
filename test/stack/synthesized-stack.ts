import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestSynthesis } from '../support/synthesis.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: unknown;
  readonly DependsOn?: unknown;
}

/** A CloudFormation template, as far as the tests look at it. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** Context values as the command line takes them. */
export type Context = Readonly<Record<string, string>>;

/** Stands for a built dashboard, as the real one comes and goes. */
export const builtDashboard = join(import.meta.dirname, 'built-dashboard');

/** The stack's template under the flags of `cdk.json`, without the dashboard unless the context names one. */
export async function synthesizeTemplate(context: Context = {}): Promise<Template> {
  return readTemplate(await requestSynthesis({ kind: 'template', context }));
}

/** The same, after the rules of cdk-nag and the CDK's own for templates; throws what they find. */
export async function synthesizeChecked(context: Context, { unsafe = false } = {}): Promise<Template> {
  return readTemplate(await requestSynthesis({ kind: 'checked-template', context, unsafe }));
}

/** The folder with the template, the functions' bundles and the files of the documents; to be read, never written. */
export function synthesizeAssembly(context: Context): Promise<string> {
  return requestSynthesis({ kind: 'assembly', context });
}

/** The template of an assembly. */
export function templateIn(assembly: string): Template {
  return readTemplate(join(assembly, 'AuthService.template.json'));
}

/** The resources of one type by their logical ids. */
export function resourcesOf(template: Template, type: string): Map<string, TemplateResource> {
  return new Map(Object.entries(template.Resources).filter(([, { Type }]) => Type === type));
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

function readTemplate(path: string): Template {
  return JSON.parse(readFileSync(path, 'utf8'));
}
