import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import * as endpoints from '#options/endpoints.ts';
import { alignTables } from '#shared/openapi/align-tables.ts';
import { functionsOf, referredId, synthesizeAssembly, templateIn } from '../stack/synthesized-stack.ts';
import { type PolicyStatement, statementsByRole } from '../support/policy-variants.ts';

/** The columns of the page, with the partition keys of each. */
const columns: Readonly<Record<string, readonly string[]>> = {
  users: ['USER#*'],
  'lists of users': ['USERS*', 'USERS', 'USERS#CHANGES'],
  applications: ['APP#*', 'APPS', 'APP#*#CHANGES'],
  connections: ['CONNECTION#*', 'CONNECTIONS'],
  directories: ['SCIM#*'],
  webhooks: ['WEBHOOK*'],
  members: ['APP#*#ROLE#*'],
  'listed accesses': ['APP#*#USERS'],
  nonces: ['NONCE#*', 'IDEMPOTENCY#*'],
  search: ['FIND#*'],
  history: ['HISTORY#*'],
  feeds: ['FEED#*', 'FEED#USERS#UNFOLLOWED'],
  overview: ['OVERVIEW', 'ENDS'],
  format: ['FORMAT'],
  canary: ['APP#canary-local', 'USER#canary-local', 'FEED#canary-local'],
};
/** Writes that are limited to some attributes, by one of them. */
const limitedWrites: Readonly<Record<string, string>> = {
  lastUsedOn: 'last use',
  requests: 'request counts',
  closedUntil: 'closings',
  webhooks: 'webhooks of applications',
  integrity: 'changes of applications',
};
const letters: Readonly<Record<string, string>> = {
  BatchGetItem: 'r',
  Query: 'q',
  'Query of an index': 'l',
  PutItem: 'c',
  UpdateItem: 'u',
  DeleteItem: 'd',
  ConditionCheckItem: 'k',
};
/** Permissions outside the table. Every role may also write the log group of its function, and traces. */
const others: Readonly<Record<string, string>> = {
  'kms:GenerateMac': 'root keys',
  'kms:Sign': 'signing key',
  'kms:GetPublicKey': 'public key of security events',
  's3:PutObject': 'bucket of the heads',
  'events:PutEvents': 'event bus',
  'dynamodb:GetRecords': 'stream',
  'sqs:SendMessage': 'dead letters',
  'lambda:InvokeFunction': '`issue-canary-key`',
  'cloudformation:DescribeStacks': 'its stack',
  'cloudformation:ListStackResources': 'its stack',
  'dynamodb:ListTables': 'names of tables',
  'codedeploy:PutLifecycleEventHookExecutionStatus': 'release checks',
  'ssm:GetParameter': 'list of new versions',
};
const implied = /^(logs|xray):|^dynamodb:(DescribeStream|GetShardIterator|ListStreams)$/;

/** A function that is invoked as an event; undefined for the others. */
function invokable(arns: readonly string[]): string | undefined {
  if (arns.some((arn) => arn.includes('HeadSigning'))) return 'itself';
  if (arns.every((arn) => arn.includes('CurrentVersion'))) return 'new versions';
  return arns.some((arn) => arn.includes('WebhooksDeliver')) ? '`deliver-webhook`' : undefined;
}

interface Permission {
  readonly column: string;
  readonly letter: string;
}

function otherOf(action: string, attributes: readonly string[]): string {
  if (action === 'dynamodb:Scan') return attributes.includes('chainHead') ? 'heads of all chains' : 'keys of all items';
  return others[action] ?? `unknown ${action}`;
}

/** The single permissions of a role: a letter in a column, or a text of the column "also". */
function permissionsOf({ Effect, Action, Resource, Condition }: PolicyStatement): Permission[] {
  if (Effect === 'Deny') return [];
  const keys = [Object(Condition['ForAllValues:StringLike'])['dynamodb:LeadingKeys'] ?? []].flat();
  const attributes = [Object(Condition['ForAllValues:StringEquals'])['dynamodb:Attributes'] ?? []].flat();
  return Action.filter((action) => !implied.test(action)).flatMap((action) => {
    const ofIndex = Resource.every((arn) => arn.includes('/index/')) ? ' of an index' : '';
    const letter = letters[action.replace('dynamodb:', '') + ofIndex];
    if (letter === undefined) {
      const invoked = action === 'lambda:InvokeFunction' ? invokable(Resource) : undefined;
      return { column: 'also', letter: invoked ?? otherOf(action, attributes) };
    }
    if (attributes.length > 0) {
      const [limited = `unknown ${attributes}`] = attributes.flatMap((name) => limitedWrites[name] ?? []);
      return { column: 'also', letter: limited };
    }
    return keys.map((key) => {
      const column = Object.keys(columns).find((name) => columns[name]?.includes(key));
      return { column: column ?? `unknown ${key}`, letter };
    });
  });
}

function rowOf(name: string, statements: readonly PolicyStatement[]): string {
  const permissions = statements.flatMap(permissionsOf);
  expect(permissions.filter(({ column, letter }) => /unknown/.test(column + letter))).toEqual([]);
  const lettersIn = (column: string) =>
    new Set(permissions.flatMap((one) => (one.column === column ? one.letter : [])));
  const cells = Object.keys(columns).map((column) =>
    Object.values(letters)
      .filter((one) => lettersIn(column).has(one))
      .join(''),
  );
  return `| \`${name}\` | ${[...cells, [...lettersIn('also')].sort().join(', ')].join(' | ')} |`;
}

test('the page shows what the policies allow each function, and says what that means', async () => {
  const assembly = await synthesizeAssembly({
    stage: 'prod',
    tracing: 'on',
    endpoints: Object.keys(endpoints).join(','),
    webhooks: 'standard,set',
    headsBucket: 'authservice-backupvault-heads',
  });
  const statements = statementsByRole(assembly, 'items');
  const functions = functionsOf(templateIn(assembly));
  const rows = [...functions].map(([name, fn]) => {
    const [, own = []] = [...statements].find(([arn]) => arn.endsWith(`/${referredId(fn.Properties.Role)}`)) ?? [];
    return rowOf(name, own);
  });
  const head = ['function', ...Object.keys(columns), 'also'];
  const table = [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n');
  const page = await readFile('docs/operate/function-permissions.md', 'utf8');
  expect(page).toContain(alignTables(`${table}\n`).trim());
  const explained = [...page.matchAll(/^- \*\*(.*?)\*\*/gms)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  expect(explained.sort()).toEqual([...functions.keys()].sort());
});
