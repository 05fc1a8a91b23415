import { LocalError } from './local-error.ts';

/** The local values of `Ref` and `Fn::GetAtt`; undefined for a resource that the local run does not support. */
export interface References {
  ref(logicalId: string): string | undefined;
  attribute(logicalId: string, name: string): string | undefined;
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': '000000000000',
  'AWS::Partition': 'aws',
  'AWS::Region': 'local',
  'AWS::StackId': 'arn:aws:cloudformation:local:000000000000:stack/local/00000000-0000-0000-0000-000000000000',
  'AWS::StackName': 'local',
  'AWS::URLSuffix': 'localhost',
};

/**
 * Evaluates the intrinsic functions in a value of the template (AWS CloudFormation template reference, "Intrinsic
 * functions"). Throws a LocalError that names any unsupported function and its place.
 */
export function resolveIntrinsics(value: unknown, references: References, place: string): unknown {
  if (Array.isArray(value)) return value.map((entry, at) => resolveIntrinsics(entry, references, `${place}.${at}`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[name, argument] = ['', undefined]] = entries;
  if (entries.length === 1 && /^(Ref$|Fn::)/.test(name)) return evaluate(name, argument, references, place);
  return Object.fromEntries(
    entries.map(([key, member]) => [key, resolveIntrinsics(member, references, `${place}.${key}`)]),
  );
}

function evaluate(name: string, argument: unknown, references: References, place: string): unknown {
  if (name === 'Ref') return lookUp(String(argument), references, place);
  if (name === 'Fn::GetAtt') return lookUp([argument].flat().join('.'), references, place);
  const [first, second] = [resolveIntrinsics(argument, references, place)].flat();
  if (name === 'Fn::Join') return [second].flat().join(String(first));
  if (name === 'Fn::Split') return String(second).split(String(first));
  if (name === 'Fn::Select') return [second].flat()[Number(first)];
  if (name === 'Fn::Sub') return substitute(String(first), new Map(Object.entries(second ?? {})), references, place);
  throw unsupported(name, place);
}

/** `Table`, or `Table.Arn` for an attribute. */
function lookUp(name: string, references: References, place: string): string {
  const [logicalId = '', attribute] = name.split(/\.(.*)/s);
  const known = pseudoParameters[name];
  const value = attribute === undefined ? (known ?? references.ref(name)) : references.attribute(logicalId, attribute);
  if (value === undefined) throw unsupported(attribute === undefined ? `Ref ${name}` : `Fn::GetAtt ${name}`, place);
  return value;
}

function substitute(text: string, variables: Map<string, unknown>, references: References, place: string): string {
  return text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    return variables.has(name) ? String(variables.get(name)) : lookUp(name, references, place);
  });
}

function unsupported(what: string, place: string): LocalError {
  return new LocalError(`The local run does not support ${what}, which the stack uses in ${place}.`);
}
