import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findService, readUrl } from '../cli/service/find-service.ts';
import { CliError, exitCodes } from '../cli/terminal/cli-error.ts';
import { cleanUp } from './clean-up.ts';
import { createTrial, runSmokeTest } from './smoke-test.ts';

const help = `Calls every operation of a deployment with its own application, user and keys, then deletes them.

  API_URL=<output ApiUrl> MANAGE_URL=<output ManageUrl> npm run -s smoke

Signs for the Management API as the command line does: with the AWS credentials of the environment, a profile
(AWS_PROFILE), SSO or the machine, or with the key of npm start. The caller must be an admin.

  --outputs <file>  read both addresses from the file that npm run deploy -- --outputs-file <file> wrote
  --clean-up <id>   only delete what a killed run left behind; its first line shows the id
  --help            show this help

Exit code: 0 all as expected, 1 a check failed or something was left behind, 2 wrong settings and nothing sent, 130 interrupted.`;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({
      options: { help: { type: 'boolean' }, outputs: { type: 'string' }, 'clean-up': { type: 'string' } },
    });
    if (values.help) return say(help);
    return await run(readAddresses(values.outputs), values['clean-up']);
  } catch (error) {
    if (error instanceof CliError) {
      console.error([error.message, ...error.notes].join('\n'));
      return error.exitCode;
    }
    console.error(error instanceof Error ? error.message : error);
    return exitCodes.notSent;
  }
}

interface Addresses {
  readonly API_URL?: string | undefined;
  readonly MANAGE_URL?: string | undefined;
}

/** The addresses from the environment, or from a file with the outputs of one stack. */
function readAddresses(file: string | undefined): Addresses {
  if (file === undefined) return process.env;
  const [outputs = {}] = Object.values<Record<string, string>>(JSON.parse(readFileSync(file, 'utf8')));
  return { API_URL: outputs.ApiUrl, MANAGE_URL: outputs.ManageUrl };
}

async function run({ API_URL, MANAGE_URL }: Addresses, idToCleanUp: string | undefined): Promise<number> {
  if (!API_URL || !MANAGE_URL) throw new Error('Set API_URL and MANAGE_URL: see npm run -s smoke -- --help');
  const api = readUrl(API_URL);
  const service = findService(
    { url: MANAGE_URL },
    { env: process.env, cwd: process.cwd, program: 'npm run -s manage --' },
  );
  const interruption = new AbortController();
  const options = { api, service, signal: interruption.signal, print: (line: string) => console.log(line) };
  if (idToCleanUp !== undefined) return cleanUpOnly(options, idToCleanUp);

  const trial = createTrial(options);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      console.log(
        `Interrupted: deleting what the run created. If this is killed too: npm run -s smoke -- --clean-up ${trial.id}`,
      );
      interruption.abort();
    });
  }
  console.log(`${api} and ${service.url}, run ${trial.id}`);
  const startedAt = Date.now();
  const { tried, failed, left } = await runSmokeTest({ ...options, id: trial.id });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const outcome = failed === 0 && left === undefined ? 'all as expected' : `${failed} FAILED`;
  console.log(`${tried} checks in ${seconds} s: ${interruption.signal.aborted ? 'interrupted' : outcome}`);
  if (left !== undefined) console.log(`Something was left behind: npm run -s smoke -- --clean-up ${trial.id}`);
  if (interruption.signal.aborted) return left === undefined ? exitCodes.interrupted : exitCodes.refused;
  return failed === 0 && left === undefined ? 0 : exitCodes.refused;
}

async function cleanUpOnly(options: Parameters<typeof createTrial>[0], id: string): Promise<number> {
  if (!/^[0-9a-v]{10}$/.test(id)) throw new Error(`${id} is not the id of a run`);
  await cleanUp(createTrial({ ...options, id }));
  return say(`Nothing is left of run ${id}.`);
}

function say(text: string): number {
  console.log(text);
  return 0;
}
