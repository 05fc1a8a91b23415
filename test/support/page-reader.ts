import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type SeededExample, seedExample } from '../../local/seed-example.ts';
import { bareEnvironment } from './environments.ts';
import { eventually } from './eventually.ts';
import { normalizeVolatileFields } from './normalize-volatile-fields.ts';
import {
  type ExampleService,
  openProjectFolder,
  type PageStep,
  type ProjectFolder,
  readDocument,
} from './run-document.ts';
import { sendSigned } from './send-request.ts';
import { root } from './source-files.ts';
import { startEmptyBundles } from './start-service.ts';

/** A reader of pages, with a fresh folder of the project beside a fresh local run and its example. */
export interface PageReader {
  readonly folder: ProjectFolder;
  /**
   * Runs all steps of a page in their order, exactly as they are printed; throws if a command fails, or prints something other
   * than what the page shows below it. Replaces only what the page says is to be replaced, by its text on the page. Leaves out
   * the sections below these headings, whose tools are not installed.
   */
  walk(path: string, replaced?: Readonly<Record<string, string>>, leftOut?: readonly string[]): Promise<WalkedStep[]>;
  close(): Promise<void>;
}

export interface WalkedStep extends PageStep {
  readonly printed: string;
}

/** The reader of a service as `npm start` runs it, without its processes: from the same stack, with the same example. */
export async function openReader(): Promise<PageReader> {
  const service = await startEmptyBundles();
  const { url, manageUrl, accessKey, login } = service;
  const seeded = await mkdtemp(join(tmpdir(), 'auth-service-example-'));
  const file = join(seeded, 'example.json');
  const billingKey = await seedExample({ ...service, baseUrl: url, issuer: login.issuer, audience: 'test', file });
  await rm(seeded, { recursive: true });
  return readerOf({ url, manageUrl, accessKey, billingKey }, service.stop);
}

/** The reader of a real `npm start`, on ports of its own. */
export async function openStartedReader(): Promise<PageReader> {
  const data = await mkdtemp(join(tmpdir(), 'auth-service-started-'));
  const run = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'local/start.ts', `--data=${data}`], {
    cwd: root,
    env: { ...bareEnvironment, PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    if (run.exitCode === null) await ended(run);
    await rm(data, { recursive: true });
  };
  const example = await startedExample(run, join(data, 'example.json')).catch(async (error) => {
    await stop();
    throw error;
  });
  const { baseUrl: url, keyId, secret, manageUrl, accessKeyId, secretAccessKey } = example;
  const accessKey = { accessKeyId, secretAccessKey };
  return readerOf({ url, manageUrl, accessKey, billingKey: { keyId, secret } }, stop);
}

/** A reader beside a service that runs, which `stop` ends. */
export async function readerOf(example: ExampleService, stop: () => Promise<void>): Promise<PageReader> {
  // How long programs wait for an answer is not meant for the start of a function on a busy machine.
  await sendSigned(example.url, example.billingKey, ['GET', '/api/service/users/nobody/access'], {});
  const folder = await openProjectFolder(example);
  return {
    folder,
    walk: async (path, replaced = {}, leftOut = []) => {
      const page = await readDocument(path);
      const others = leftOut.flatMap((heading) =>
        page
          .section(heading)
          .steps()
          .map(({ script }) => script),
      );
      const steps = page.steps().filter(({ script }) => !others.includes(script));
      const printed = await folder.runEach(steps.map(({ script }) => replaceIn(script, replaced)));
      const walked = steps.map((step, at) => ({ ...step, printed: printed[at] ?? '' }));
      for (const step of walked) expectShown(step);
      return walked;
    },
    close: async () => {
      await folder.remove();
      await stop();
    },
  };
}

/** The example of a run that is ready. */
async function startedExample(run: ChildProcess, file: string): Promise<SeededExample> {
  const read = async () => {
    if (run.exitCode !== null) throw new Error('npm start has ended');
    const example = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
    const ready = example && (await fetch(`${example.baseUrl}/_local/ready`).catch(() => undefined));
    return ready?.ok ? example : undefined;
  };
  return eventually(read, (example) => example !== undefined);
}

async function ended(run: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => run.once('close', resolve));
  run.kill('SIGTERM');
  await closed;
}

/** What stands in angle brackets is the reader's, so no shell may see it. */
function replaceIn(script: string, replaced: Readonly<Record<string, string>>): string {
  const typed = Object.entries(replaced).reduce((text, [shown, value]) => text.replaceAll(shown, value), script);
  const left = /'<[a-z][^<>\n]*>'/.exec(typed);
  if (left !== null) throw new Error(`The page leaves ${left[0]} to the reader`);
  return typed;
}

function expectShown({ script, shown, printed }: WalkedStep): void {
  if (shown === undefined) return;
  const isText = shown.language === 'text';
  const [answer = printed] = isText ? [printed] : (/^[{"].*[}"]$/ms.exec(printed) ?? []);
  const comparable = isText ? withoutTimes : withoutIds;
  expect([script, comparable(answer)]).toEqual([script, comparable(shown.text)]);
}

/** An answer in JSON without what differs from run to run; a change gets its number within moments. */
export function withoutIds(json: string): unknown {
  return normalizeVolatileFields(JSON.parse(json.replace('"pending":1', '"pending":0')));
}

function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*( \([^)]* ago\))?/g, 'a time')
    .replaceAll(/ \([\d.]+ s\)$/gm, '');
}
