import type { Template } from './synthesized-stack.ts';

/** The number of characters of a value's JSON after a deployment, with the longest names that CloudFormation chooses. */
export function resolvedSize(value: unknown, template: Template): number {
  return JSON.stringify(resolve(value, template)).length;
}

function resolve(value: unknown, template: Template): unknown {
  if (Array.isArray(value)) return value.map((one) => resolve(one, template));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::Select': select } = Object(value) as Intrinsics;
  if (Ref !== undefined) return pseudoParameters[Ref] ?? nameOf(Ref, template);
  if (attribute !== undefined) return attributeOf(template.Resources[attribute[0]]?.Type);
  if (join !== undefined) return join[1].map((part) => resolve(part, template)).join(join[0]);
  if (select !== undefined) return String(resolve(select[1]['Fn::Split'][1], template)).split(':')[select[0]];
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, template)]));
}

interface Intrinsics {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [id: string, name: string];
  readonly 'Fn::Join'?: readonly [separator: string, parts: readonly unknown[]];
  readonly 'Fn::Select'?: readonly [at: number, from: { readonly 'Fn::Split': readonly [string, unknown] }];
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-central-1',
};

/** All attributes in the stack's policies and environments are ARNs, or shorter. */
function attributeOf(type = ''): string {
  if (type === 'AWS::IAM::Role') return `arn:aws:iam::123456789012:role/${'n'.repeat(64)}`;
  if (type === 'AWS::Lambda::Function') return `arn:aws:lambda:eu-central-1:123456789012:function:${'n'.repeat(64)}`;
  return `arn:aws:dynamodb:eu-central-1:123456789012:${'x'.repeat(80)}`;
}

/** Names have 64 characters at most; the reference to a version or an alias is its ARN. */
function nameOf(id: string, { Resources }: Template): string {
  const name = 'n'.repeat(64);
  const { Type = '' } = Resources[id] ?? {};
  return /::(?:Version|Alias)$/.test(Type) ? `arn:aws:lambda:eu-central-1:123456789012:function:${name}:1234` : name;
}
