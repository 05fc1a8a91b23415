import type { Stage } from './stages.ts';

/** The ARN of a table, which with `/stream/` and a timestamp is the ARN of its stream. */
export function tableOfStream(streamArn: string): string {
  return streamArn.replace(/\/stream\/.*/, '');
}

/**
 * Only a table whose name begins with that of the stage's stack: CloudFormation names the stack's table and its copies that
 * way, and a restored table is named after it. Returns its Region; `given` names what gave the ARN, for the error.
 */
export function requireTable(
  arn: string,
  given: string,
  { name, stackName }: Pick<Stage, 'name' | 'stackName'>,
): string {
  const [, region, table] = /^arn:[\w-]+:dynamodb:([\w-]+):\d{12}:table\/([\w.-]+)$/.exec(arn) ?? [];
  if (region === undefined || table === undefined) {
    throw new Error(`${given} must contain the ARN of a table, not ${arn}`);
  }
  if (table.startsWith(`${stackName}-`)) return region;
  throw new Error(
    `${given} must be of a table of the stage ${name}, whose name begins with ${stackName}-, not of ${table}`,
  );
}
