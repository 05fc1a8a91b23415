import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from '@jest/globals';
import type { DataSettings } from '../../lib/releases/data-settings.ts';
import { bareEnvironment } from '../support/environments.ts';
import { type ImitatedAccount, imitateAws } from './imitated-account.ts';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The data settings of a deployment with a copy and two root keys. */
export const ownData: DataSettings = { table: 'own', replicaRegions: ['eu-west-1'], rootKeys: ['k1', 'k2'] };

/** What the imitated account has, and what is to be deployed to it. */
export interface PlannedAccount extends ImitatedAccount {
  /** The account and Region that the synthesized stack names. */
  environment: string;
  /** The names of the outputs that the synthesized stack has besides its data settings. */
  plannedOutputs: readonly string[];
}

/**
 * Prepares `npm run deploy` for the tests of a file, with a `cdk` that only writes the assembly and records its calls, and an
 * imitation of AWS that answers for the account, with one entry a page.
 */
export function prepareDeployCommand() {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-deploy-'));
  const aws = imitateAws();
  const account: PlannedAccount = Object.assign(aws.account, {
    environment: 'aws://unknown-account/eu-central-1',
    plannedOutputs: [],
  });
  beforeAll(() => {
    writeFileSync(join(folder, 'cdk'), cdk);
    chmodSync(join(folder, 'cdk'), 0o755);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Deploys a template with these data settings and resources. */
  async function deploy(planned: DataSettings, args: readonly string[] = [], Resources: object = {}) {
    rmSync(join(folder, 'calls'), { force: true });
    const others = account.plannedOutputs.map((name) => [name, { Value: { Ref: name } }]);
    const Outputs = { ...Object.fromEntries(others), DataSettings: { Value: JSON.stringify(planned) } };
    const env = {
      ...bareEnvironment,
      PATH: [folder, dirname(process.execPath), bareEnvironment.PATH].join(delimiter),
      CDK_OUTDIR: folder,
      ENVIRONMENT: account.environment,
      PLANNED: JSON.stringify({ Resources, Outputs }),
      AWS_ENDPOINT_URL: aws.url(),
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    const run = await runFile(process.execPath, [join(project, 'bin/deploy.ts'), ...args], { env }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { readonly code: number; readonly stderr: string }) => ({ code, stderr }),
    );
    return { ...run, calls: readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') };
  }
  return { folder, account, asked: aws.asked, deploy };
}

const cdk = `#!/bin/bash
echo "$*" >> "$CDK_OUTDIR/calls"
[ "$1" = synth ] || exit 0
echo "$PLANNED" > "$CDK_OUTDIR/AuthService-prod.template.json"
cat > "$CDK_OUTDIR/manifest.json" <<END
{"artifacts":{"AuthService-prod":{"type":"aws:cloudformation:stack","environment":"$ENVIRONMENT","properties":{"stackName":"AuthService-prod","templateFile":"AuthService-prod.template.json","bootstrapStackVersionSsmParameter":"/cdk-bootstrap/authprod/version"}}}}
END
`;
