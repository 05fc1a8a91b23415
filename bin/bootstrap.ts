import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { App } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import cdk from '../cdk.json' with { type: 'json' };
import { bootstrapTemplate, executionPolicies, variantOf } from '../lib/bootstrap/bootstrap-template.ts';
import { namesOfStage } from '../lib/bootstrap/permissions-boundary.ts';
import { fillIn } from '../lib/bootstrap/policy-document.ts';
import { bootstrapVariantOf, describeStack } from '../lib/releases/describe-stack.ts';
import { ownQualifier, toolkitStackName } from '../lib/settings/account-settings.ts';
import { contextName } from '../lib/settings/context-names.ts';
import { readSettings } from '../lib/settings/settings.ts';

const help = `npm run bootstrap -- aws://<account>/<Region> -c stage=<stage> [options]

Creates a bootstrap whose roles can deploy one stage of this service and nothing else, beside the account's own. A stage is
deployed through it with "bootstrap": "own" in accounts in cdk.json. Run it with administrator credentials: once per stage,
account and Region, after upgrades of the service, and when the setting replicaRegions changes.

  -c, --context name=value  stage, and the Region of its settings if it has several: region=eu-central-1
      --trust <account>     another account that may deploy here; repeatable
      --force               replace a bootstrap of another stage or of the CDK
      --profile <name>      AWS profile
      --dry-run             print the template and the command, change nothing
      --help`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    context: { type: 'string', short: 'c', multiple: true, default: [] },
    trust: { type: 'string', multiple: true, default: [] },
    force: { type: 'boolean', default: false },
    profile: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const [, account = '', region = ''] = /^aws:\/\/(\d{12})\/([a-z0-9-]+)$/.exec(positionals.join(' ')) ?? [];
if (account === '') refuse(`Name one account and Region: aws://111122223333/eu-central-1\n\n${help}`);
if (values.profile !== undefined) process.env.AWS_PROFILE = values.profile;
const { stage, replicaRegions, ...settings } = readSettings(new App({ context: givenContext() }).node);
if (settings.account !== undefined && settings.account !== account) {
  refuse(
    `The stage ${stage.name} belongs to the account ${settings.account} (accounts in cdk.json), not to ${account}`,
  );
}
const qualifier = (settings.bootstrap === 'own' && settings.bootstrapQualifier) || ownQualifier;
const stackName = toolkitStackName(qualifier);
const scope = { stage, names: namesOfStage(stage), hasReplicas: replicaRegions.length > 0 };
const template = bootstrapTemplate(JSON.parse(runCdk('bootstrap', '--show-template', '--json')), scope);
const partition = RegionInfo.get(region).partition ?? 'aws';
const policyArns = Object.keys(executionPolicies(scope)).map((name) =>
  fillIn(`arn:${partition}:iam::${account}:policy/${name}`, {
    Qualifier: qualifier,
    'AWS::AccountId': account,
    'AWS::Region': region,
  }),
);
const args = [
  'bootstrap',
  `aws://${account}/${region}`,
  '--toolkit-stack-name',
  stackName,
  '--qualifier',
  qualifier,
  // CloudFormation's role already refers to these policies. The CDK requires them for --trust, and prints them.
  '--cloudformation-execution-policies',
  policyArns.join(','),
  ...values.trust.flatMap((one) => ['--trust', one]),
  ...(values.force ? ['--force'] : []),
];
if (values['dry-run']) {
  console.log(JSON.stringify(template, undefined, 2));
  console.error(`cdk ${args.join(' ')} --template <the template above>`);
} else {
  await requireOwnBootstrap();
  deploy();
}

/** The settings of `cdk.json` and `-c`; those of the Region to bootstrap if the stage has settings for it. */
function givenContext(): Record<string, unknown> {
  const given = Object.fromEntries(values.context.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  const { settings } = cdk.context[contextName] as { readonly settings?: Readonly<Record<string, object>> };
  const known = settings?.[given.stage ?? 'dev'] ?? {};
  return { ...cdk.context, ...(region in known && { region }), ...given };
}

/** The CDK only warns if it leaves another bootstrap as it is. */
async function requireOwnBootstrap(): Promise<void> {
  const client = new CloudFormationClient({ region });
  const deployed = await describeStack(client, stackName).finally(() => client.destroy());
  const variant = bootstrapVariantOf(deployed);
  if (deployed === undefined || variant === variantOf(stage) || values.force) return;
  refuse(
    `${stackName} in ${account}, ${region} is the bootstrap "${variant}", not "${variantOf(stage)}". If another stage uses it, give ${stage.name} its own with bootstrapQualifier in accounts in cdk.json; otherwise replace it with --force`,
  );
}

function deploy(): void {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-bootstrap-'));
  const file = join(folder, 'template.json');
  try {
    writeFileSync(file, JSON.stringify(template));
    const { status, error } = spawnSync('cdk', [...args, '--template', file], { stdio: 'inherit' });
    if (error !== undefined) throw error;
    process.exitCode = status ?? 1;
    if (status === 0 && settings.bootstrap !== 'own') {
      console.error(
        `${stage.name} is still deployed through the account's own bootstrap. To use this one, set "bootstrap": "own" for ${stage.name} in accounts in cdk.json`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runCdk(...options: string[]): string {
  const { status, error, stdout, stderr } = spawnSync('cdk', options, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) refuse(stderr);
  return stdout;
}

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}
