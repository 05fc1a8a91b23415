import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import * as endpoints from '#options/endpoints.ts';
import { alignTables } from '#shared/openapi/align-tables.ts';
import { rootPurposes } from '../../lib/options/option-roots.ts';
import { functionsOf, referredId, synthesizeAssembly, templateIn } from '../stack/synthesized-stack.ts';
import { type PolicyStatement, statementsByRole } from '../support/policy-variants.ts';
import { settingsOfParts } from '../support/synthesis.ts';

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
  logins: ['LOGIN#*', 'LOGINS'],
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
  'cognito-idp:AdminGetUser': 'accounts',
  'cognito-idp:AdminCreateUser': 'changes of accounts',
  'cognito-idp:AdminUpdateUserAttributes': 'changes of accounts',
  'cognito-idp:AdminEnableUser': 'changes of accounts',
  'cognito-idp:AdminDisableUser': 'changes of accounts',
  'cognito-idp:AdminUserGlobalSignOut': 'changes of accounts',
  'cognito-idp:AdminDeleteUser': 'changes of accounts',
  'cognito-idp:AdminLinkProviderForUser': 'identities of accounts',
  'cognito-idp:DescribeUserPoolClient': 'clients',
  'cognito-idp:ListUserPoolClients': 'clients',
  'cognito-idp:CreateUserPoolClient': 'changes of clients',
  'cognito-idp:CreateManagedLoginBranding': 'changes of clients',
  'cognito-idp:UpdateUserPoolClient': 'changes of clients',
  'cognito-idp:DescribeManagedLoginBrandingByClient': 'clients',
  'cognito-idp:UpdateManagedLoginBranding': 'changes of clients',
  'cognito-idp:DeleteUserPoolClient': 'changes of clients',
  'cognito-idp:ListUserPoolClientSecrets': 'secrets of clients',
  'cognito-idp:AddUserPoolClientSecret': 'secrets of clients',
  'cognito-idp:DeleteUserPoolClientSecret': 'secrets of clients',
};
const implied = /^(logs|xray):|^dynamodb:(DescribeStream|GetShardIterator|ListStreams)$/;

/** A function that is invoked as an event; undefined for the others. */
function invokable(arns: readonly string[]): string | undefined {
  if (arns.some((arn) => arn.includes('HeadSigning'))) return 'itself';
  if (arns.every((arn) => arn.includes('CurrentVersion'))) return 'new versions';
  if (arns.some((arn) => arn.includes('LoginSync'))) return '`sync-login`';
  return arns.some((arn) => arn.includes('WebhooksDeliver')) ? '`deliver-webhook`' : undefined;
}

/** The column of the purposes whose roots a function can derive from. */
const rootsColumn = 'roots';

/** The purposes of root keys: the letters of their versions, which the ids of their resources have. */
function purposesOf(keys: readonly string[]): Permission[] {
  return keys.map((arn) => {
    const [, letter = `unknown ${arn}`] = /RootKey([A-Z])\d/.exec(arn) ?? [];
    return { column: rootsColumn, letter: letter.toLowerCase() };
  });
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
    if (action === 'kms:GenerateMac') return purposesOf(Resource);
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
  const roots = rootPurposes.filter((purpose) => lettersIn(rootsColumn).has(purpose)).join('');
  return `| \`${name}\` | ${[roots, ...cells, [...lettersIn('also')].sort().join(', ')].join(' | ')} |`;
}

test('the page shows what the policies allow each function, and says what that means', async () => {
  const assembly = await synthesizeAssembly({
    stage: 'prod',
    tracing: 'on',
    endpoints: Object.keys(endpoints).join(','),
    webhooks: 'standard,set',
    ...settingsOfParts,
    headsBucket: 'authservice-backupvault-heads',
    login: JSON.stringify({
      branding: { color: '#1a5276' },
      provider: { name: 'Example', domains: ['example.com'], metadataUrl: 'https://login.example.com/metadata' },
    }),
  });
  const statements = statementsByRole(assembly, 'items');
  const functions = functionsOf(templateIn(assembly));
  const rows = [...functions].map(([name, fn]) => {
    const [, own = []] = [...statements].find(([arn]) => arn.endsWith(`/${referredId(fn.Properties.Role)}`)) ?? [];
    return rowOf(name, own);
  });
  const head = ['function', rootsColumn, ...Object.keys(columns), 'also'];
  const table = [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n');
  const page = await readFile('docs/operate/function-permissions.md', 'utf8');
  expect(page).toContain(alignTables(`${table}\n`).trim());
  for (const purpose of rootPurposes) {
    const held = rows.filter((row) => row.split('|')[2]?.includes(purpose)).length;
    expect(page).toMatch(new RegExp(`\\| \`${purpose}\` +\\|[^|]+\\| +22 of 32 +\\| +${held} of ${rows.length} +\\|`));
  }
  const explained = [...page.matchAll(/^- \*\*(.*?)\*\*/gms)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  expect(explained.sort()).toEqual([...functions.keys()].sort());
});
