import { App } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { BackupVaultStack } from '../lib/data/backup-vault-stack.ts';
import { addNag } from '../lib/nag.ts';
import { readCommandLine } from '../lib/settings/cdk-context.ts';

/**
 * `npm run deploy:backup-vault -- -c sourceAccount=… [-c minRetentionDays=35] [-c lock=compliance]`, with credentials of the
 * second account.
 */
const app = new App({ context: cdk.context, analyticsReporting: false });
const { named, bare } = readCommandLine(app.node.getAllContext());
const read = (name: string) => String({ ...bare, ...named }[name] ?? '');
const [sourceAccount, days, lock] = [read('sourceAccount'), read('minRetentionDays') || '35', read('lock')];
if (!/^\d{12}$/.test(sourceAccount)) throw new Error('Set the account of the service: -c sourceAccount=111122223333');
if (!/^[1-9]\d{0,4}$/.test(days)) throw new Error(`minRetentionDays must be a whole number of days, not ${days}`);
if (lock !== '' && lock !== 'compliance') throw new Error(`lock must be "compliance" or omitted, not ${lock}`);
new BackupVaultStack(app, 'BackupVault', {
  description: 'Locked vault for backups of auth-service in another account',
  sourceAccount,
  minRetentionDays: Number(days),
  lock: lock === 'compliance' ? 'compliance' : 'governance',
});
addNag(app);
app.synth();
