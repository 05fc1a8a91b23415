/** A statement of a policy, whose texts may contain placeholders such as that of the account, `AWS::AccountId`. */
export interface PolicyStatement {
  readonly Sid: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** A statement that allows actions on resources. */
export function allow(Sid: string, Action: readonly string[], Resource: readonly string[]): PolicyStatement {
  return { Sid, Effect: 'Allow', Action, Resource };
}

/** The ARN of a resource in the account and Region of the deployment. */
export function arnOf(service: string, resource: string, region = `\${AWS::Region}`): string {
  return `arn:\${AWS::Partition}:${service}:${region}:\${AWS::AccountId}:${resource}`;
}

/** Replaces the placeholders in all texts of a value; an unknown one stays. */
export function fillIn<Value>(value: Value, values: Readonly<Record<string, string>>): Value {
  const fill = (text: string) => text.replace(/\$\{([\w:]+)\}/g, (whole, name: string) => values[name] ?? whole);
  return mapTexts(value, fill) as Value;
}

/** Has CloudFormation replace the placeholders in all texts of a value. */
export function asTemplate(value: unknown): unknown {
  return mapTexts(value, (text) => (text.includes('${') ? { 'Fn::Sub': text } : text));
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]));
}
