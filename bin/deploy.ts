import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { variantOf } from '../lib/bootstrap/bootstrap-template.ts';
import { readPlannedStack } from '../lib/releases/assembly.ts';
import { compareWithDeployed, readAccountQuota, requireAccount } from '../lib/releases/check-deployment.ts';
import { requireBootstrap } from '../lib/releases/require-bootstrap.ts';
import { toolkitStackName } from '../lib/settings/account-settings.ts';
import { defaultConcurrency } from '../lib/settings/concurrency-settings.ts';
import { deploymentContext } from '../lib/settings/context-names.ts';

/**
 * `npm run deploy -- <options of cdk deploy>`: synthesizes with the account's quotas, compares with the deployed stack, and
 * deploys exactly what was compared. Refuses credentials of another account than the stage's, and to remove a resource that
 * holds data, the operators' user pool or a signing key, unless `--confirm-change <setting>` names its setting. A different
 * table or different root keys take two deployments, so that the functions may use both in between. `--adopt <ARNs>` first
 * imports the table, the root keys and the user pool that a deleted stack of the stage retained.
 */
const explanations = {
  adopt: 'The stack imports what it adopts. Nobody can use the root keys until it is deployed.',
  widen: 'The functions may also use the new table or root keys, but still use the deployed ones.',
  release: 'The functions use the new table or root keys. The previous ones stay allowed until the next deployment.',
};
const assembly = process.env.CDK_OUTDIR ?? join(import.meta.dirname, '../cdk.out');
const { context, profile, confirmed, adopted, toolkitStack, others } = splitOptions(process.argv.slice(2));
const adoption = adopted.length > 0 ? ['--context', `${deploymentContext.adopt}=${adopted.join(',')}`] : [];
if (profile !== undefined) process.env.AWS_PROFILE = profile;
if (confirmed.length > 0) context.push('--context', `${deploymentContext.confirmChange}=${confirmed.join(',')}`);
synthesize(...adoption);
const { bootstrapQualifier, hasOwnBootstrap, stage } = readPlannedStack(assembly);
await requireAccount(assembly)
  .then(() => requireBootstrap(assembly, variantOf({ name: stage })))
  .catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
const quota = await readAccountQuota(assembly);
if (quota !== undefined && quota !== defaultConcurrency) {
  context.push('--context', `${deploymentContext.accountConcurrency}=${quota}`);
  synthesize(...adoption);
}
const comparison = await compareWithDeployed(assembly);
const losses = comparison.losses.filter(({ setting }) => !confirmed.includes(setting));
if (losses.length > 0) {
  for (const { text, setting } of losses) {
    console.error(`${text}. Was a setting forgotten? If this is intended, add --confirm-change ${setting}`);
  }
  process.exit(1);
}
if (Object.keys(comparison.imports).length > 0) {
  console.error(explanations.adopt);
  // Only what is imported is added to the deployed template; what else differs is deployed afterwards, hence --force. A large
  // template goes through the bucket of the toolkit's stack.
  const toolkitName = hasOwnBootstrap ? toolkitStackName(bootstrapQualifier) : toolkitStack;
  const toolkit = toolkitName === undefined ? [] : ['--toolkit-stack-name', toolkitName];
  const mapping = ['--resource-mapping-inline', JSON.stringify(comparison.imports)];
  runCdk('import', '--app', assembly, '--force', ...toolkit, ...mapping);
}
if (adoption.length > 0) synthesize();
if (comparison.transitions.length === 0) runCdk('deploy', '--app', assembly, ...others);
for (const transition of comparison.transitions) {
  console.error(explanations[transition.step]);
  synthesize('--context', `${deploymentContext.transition}=${JSON.stringify(transition)}`);
  runCdk('deploy', '--app', assembly, ...others);
}

function synthesize(...more: string[]): void {
  runCdk('synth', '--quiet', '--output', assembly, ...context, ...more);
}

function splitOptions(args: string[]) {
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: {
      context: { type: 'string', short: 'c' },
      profile: { type: 'string' },
      'confirm-change': { type: 'string' },
      adopt: { type: 'string' },
      'toolkit-stack-name': { type: 'string' },
    },
  });
  const given = tokens.filter((token) => token.kind === 'option');
  const valuesOf = (name: string) => given.filter((token) => token.name === name).map(({ value }) => value ?? '');
  const own = given.filter(({ name }) => ['context', 'confirm-change', 'adopt'].includes(name));
  const places = new Set(own.flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1])));
  return {
    context: valuesOf('context').flatMap((value) => ['--context', value]),
    profile: valuesOf('profile').at(-1),
    toolkitStack: valuesOf('toolkit-stack-name').at(-1),
    confirmed: valuesOf('confirm-change'),
    adopted: valuesOf('adopt'),
    others: args.filter((_, at) => !places.has(at)),
  };
}

function runCdk(...args: string[]): void {
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
