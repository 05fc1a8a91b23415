import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { ProofContext, ProofStep } from './proof-step.ts';
import { deploy, deployedData, manage, requireAnswer, smokeTest } from './stage-deployment.ts';
import { describeStatuses, whileReading, withApplication } from './trial-application.ts';

export const rootsStep: ProofStep = {
  name: 'roots',
  title: 'add a root, rotate every key to it, and end the first, with a request each second',
  proves: ['root-release'],
  commands: [
    'npm run deploy -- -c stage=<stage> -c rootKeys=k1,k2',
    'npm run -s manage -- keys rotate-all --root k1 --overlap 1h',
    'npm run deploy -- -c stage=<stage> -c rootKeys=k2 --confirm-change rootKeys',
    'npm run deploy -- -c stage=<stage>',
    'npm run -s smoke',
  ],
  expects: 'the key of the first root answers 200 throughout the release of the second, and 401 after its end',
  timeoutMinutes: 120,
  emulationLacks: 'IAM and CodeDeploy: no policy takes time to apply, and aliases move at once',
  async run(context) {
    await requireAnswer(context);
    return withApplication(context, async (app) => {
      const { rootKeys } = await deployedData(context);
      const [first = 'k1'] = rootKeys;
      const second = `k${Number(first.slice(1)) + 1}`;
      const added = await whileReading(app, () => deploy(context, { rootKeys: `${first},${second}` }));
      const failures = Object.keys(added.statuses).filter((status) => status !== '200');
      // An emulation may recreate a changed function, which is not there meanwhile.
      if (failures.length > 0 && !context.isEmulated)
        throw new Error(`during the release: ${describeStatuses(added.statuses)}`);
      await requireAnswer(context);
      const { rotated, newKey } = await rotateAll(context, first, app.appId);
      const ending = await deploy(context, { rootKeys: second }, ['--confirm-change', 'rootKeys']);
      const narrowing = await deploy(context);
      const afterwards = await app.readAccess();
      if (afterwards !== 401) throw new Error(`a key of ${first} is answered ${afterwards} after its end`);
      const withNewKey = await app.readAccess(newKey);
      if (withNewKey !== 200) throw new Error(`a key of ${second} is answered ${withNewKey}`);
      return {
        root: `${first} to ${second}`,
        answers: describeStatuses(added.statuses),
        rotated,
        secondsToAdd: added.result,
        secondsToEnd: ending + narrowing,
        afterwards,
        withNewKey,
        smoke: await smokeTest(context),
      };
    });
  },
};

/** Rotates every key of a root; returns how many, and the new one of an application. No secret stays on the disk. */
async function rotateAll(context: ProofContext, root: string, appId: string) {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-prove-'));
  try {
    const out = join(folder, 'keys');
    const args = ['keys', 'rotate-all', '--root', root, '--overlap', '1h', '--out', out, '--yes'];
    const { rotated } = v.parse(v.object({ rotated: v.number() }), await manage(context, args));
    const [file = ''] = readdirSync(join(out, appId));
    const newKey = v.parse(keySchema, JSON.parse(readFileSync(join(out, appId, file), 'utf8')));
    return { rotated, newKey };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const keySchema = v.object({ keyId: v.string(), secret: v.string() });
