import { constants } from 'node:fs';
import { access, mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildDashboard } from '#lib/operators/build-dashboard.ts';
import * as localParts from '#options/local.ts';
import { memoryFile, startDynamodb } from './dynamodb-process.ts';
import type { LocalEvent } from './eventbridge.ts';
import { findFreePort, lockFolder } from './listen.ts';
import { readAccessKey, readRootKey } from './local-credentials.ts';
import { LocalError } from './local-error.ts';
import type { LocalPart } from './local-part.ts';
import { type Command, readCommand, usage } from './read-command.ts';
import type { SeededExample } from './seed-example.ts';
import { createLineWriter, printWelcome } from './start-output.ts';
import { openDocs } from './static-files.ts';
import { synthesize } from './synthesize.ts';

/** Closes everything, in the reverse order of the start. */
const closers: (() => Promise<void>)[] = [];
const parts: readonly LocalPart[] = Object.values(localParts);
const ending = new AbortController();
/** The files that a reset removes; the folder itself stays because it may contain other files. */
const ownFiles = [
  'dynamodb.db',
  'dynamodb.db-shm',
  'dynamodb.db-wal',
  memoryFile,
  'root-key',
  'access-key',
  'example.json',
  'stream-positions',
  'cdk.out',
  ...parts.flatMap(({ files }) => files),
];
const writeLine = createLineWriter();
let signalledAt = 0;
/** Until the example is seeded, all requests come from this process. */
let readyAt: Date | undefined;

process.on('SIGINT', endOnSignal).on('SIGTERM', endOnSignal);
await start().catch(fail);

async function start(): Promise<void> {
  const startedAt = Date.now();
  const command = readCommand(process.argv.slice(2), process.env);
  if (command.help) return console.log(usage);
  await prepareFolder(command);
  console.log('Synthesizing the stack, building the dashboard and starting DynamoDB …');
  const [assembly, dashboard, database, root, accessKey, { runStack }, { seedExample }, { extendExample }] =
    await Promise.all([
      synthesize({ folder: join(command.folder, 'cdk.out'), signal: ending.signal }),
      buildDashboard({
        signal: ending.signal,
        warn: (reason) => console.error(`Starting without the dashboard, because its build failed: ${reason}`),
      }),
      openDynamodb(command),
      readRootKey(join(command.folder, 'root-key')),
      readAccessKey(join(command.folder, 'access-key')),
      // Loaded in parallel, because the SDK takes a while.
      import('./run-stack.ts'),
      import('./seed-example.ts'),
      import('./extend-example.ts'),
    ]);
  console.log('Creating the table …');
  const log = command.verbose ? writeLine : logWarnings;
  const names = { tableName: 'auth-service', positionFolder: join(command.folder, 'stream-positions') };
  let example: SeededExample | undefined;
  const docs = openDocs({ exampleKey: () => example });
  const stack = await runStack({
    ...command,
    ...names,
    assembly,
    docs,
    dashboard,
    ...database,
    root,
    accessKey,
    log,
    logsEvent,
    isReady: () => readyAt !== undefined,
  });
  closers.push(stack.close);
  const file = join(command.folder, 'example.json');
  example = await seedExample({ ...stack, baseUrl: stack.url, file });
  const lines = await extendExample({ ...stack, example, file });
  readyAt = new Date();
  printWelcome({ stack, example, exampleFile: relative('', file), lines, now: new Date() });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`Ready after ${seconds} s. Press Ctrl-C to stop. npm start -- --help lists the options and all routes.`);
}

/** Checks the ports and the database first, so that problems are reported before anything starts or is removed. */
async function prepareFolder(command: Command): Promise<void> {
  const { port, managePort, loginPort, dynamodbEndpoint, folder, reset } = command;
  await findFreePort(port, 'PORT');
  await findFreePort(managePort, 'MANAGE_PORT');
  await findFreePort(loginPort, 'OIDC_PORT');
  if (dynamodbEndpoint !== undefined) await requireReachable(dynamodbEndpoint);
  await createFolder(folder);
  await lockFolder(folder);
  if (!reset) return;
  for (const name of ownFiles) await rm(join(folder, name), { recursive: true, force: true });
}

/** Only for its owner, because it will contain secrets. */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new LocalError(`The folder ${folder} cannot be used (${code ?? message}): choose another one with --data.`);
  }
}

async function openDynamodb({ dynamodbEndpoint, folder }: Command) {
  if (dynamodbEndpoint !== undefined) return { dynamodb: dynamodbEndpoint };
  const file = join(folder, 'dynamodb.db');
  const { endpoint, databaseFile, stop } = await startDynamodb({ file, log: console.error, onGiveUp: fail });
  closers.push(stop);
  return { dynamodb: endpoint, databaseFile };
}

async function requireReachable(endpoint: string): Promise<void> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(3000) });
  } catch {
    throw new LocalError(
      `DynamoDB does not answer at ${endpoint}: start it, or unset DYNAMODB_ENDPOINT to use the emulator.`,
    );
  }
}

/** Skips the events of the example. */
function logsEvent({ detail }: LocalEvent): boolean {
  const { at = '' } = Object(detail) as { at?: string };
  return readyAt !== undefined && new Date(at) >= readyAt;
}

/** Skips requests that succeeded, JSON lines below warning level, metrics, and until it is ready what is refused or asks too early. */
function logWarnings(line: string): void {
  if (/ [23]\d\d \d+ ms$/.test(line) || (readyAt === undefined && / (?:4\d\d|503) \d+ ms$/.test(line))) return;
  // Metrics in CloudWatch's embedded format.
  if (line.startsWith('{"_aws":')) return;
  const [, level] = /^\{.*?"level":"(\w+)"/.exec(line) ?? [];
  if (!['TRACE', 'DEBUG', 'INFO'].includes(level ?? '')) writeLine(line);
}

function fail(error: unknown): void {
  if (ending.signal.aborted) return;
  console.error(error instanceof LocalError ? error.message : error);
  void end(1);
}

/** npm forwards the Ctrl-C that the terminal has also sent to this process, so only a later one counts as the second. */
function endOnSignal(): void {
  const sinceFirst = Date.now() - signalledAt;
  if (signalledAt === 0) {
    signalledAt = Date.now();
    void end(0);
  } else if (sinceFirst > 500) {
    process.exit(130);
  }
}

async function end(exitCode: number): Promise<void> {
  ending.abort();
  for (const close of closers.reverse()) await close().catch(console.error);
  process.exit(exitCode);
}
