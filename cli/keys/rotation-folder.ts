import { randomUUID } from 'node:crypto';
import { accessSync, appendFileSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import { notSent, notWritten } from '../terminal/cli-error.ts';

/** Only an identical command resumes a run. */
export interface RotationCommand {
  readonly url: string;
  readonly root: string;
  readonly overlap: string;
}

/** A key that is to be rotated. */
export interface PlannedKey {
  readonly appId: string;
  readonly keyId: string;
}

/** What became of it. `ended`: it was revoked or had expired before. */
export interface RotationOutcome extends PlannedKey {
  readonly outcome: 'rotated' | 'ended' | 'failed';
  readonly newKeyId?: string;
  readonly code?: string;
  readonly detail?: string;
}

interface Head {
  readonly command: RotationCommand;
  /** Goes into each Idempotency-Key, so that a request whose answer was lost is answered with the same new key. */
  readonly runId: string;
  readonly startedAt: string;
  readonly keys: readonly PlannedKey[];
}

/** The folder of a run: what is planned, what is done, and a file with the secret of each new key. */
export interface RotationFolder {
  readonly keys: readonly PlannedKey[];
  readonly outcomes: ReadonlyMap<string, RotationOutcome>;
  /** The `Idempotency-Key` of a rotation: another one once the service has refused it. */
  requestIdOf(key: PlannedKey): string;
  /** Stores the secret on the disk, then that the key is rotated. */
  addKey(old: PlannedKey, key: IssuedKeyView): void;
  add(outcome: RotationOutcome): void;
  writeReport(report: object): void;
}

/** The service keeps the outcome of a request for a day. */
const maxAgeMilliseconds = 23.5 * 3600 * 1000;

/** The run that a folder has; undefined for a new one. Throws on one of another command or older than a day. */
export function readRotation(folder: string, command: RotationCommand, now = new Date()): RotationFolder | undefined {
  const lines = readLines(join(folder, 'progress.jsonl'));
  const [head, ...outcomes] = lines as [Head | undefined, ...RotationOutcome[]];
  if (head === undefined) return undefined;
  if (JSON.stringify(head.command) !== JSON.stringify(command)) {
    throw notSent(`${folder} has the run of another command. Give another folder.`);
  }
  if (now.getTime() - Date.parse(head.startedAt) > maxAgeMilliseconds) {
    throw notSent(`The run in ${folder} began at ${head.startedAt}, and can be resumed for a day only.`, [
      'Give another folder: it begins with the keys that are active now. progress.jsonl says what was done.',
    ]);
  }
  return rotationFolder(folder, head, outcomes);
}

/** Refuses a folder that a run cannot write to, or that others can read. */
export function requirePrivateFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    requireWritable(existingParent(folder));
    return;
  }
  if (!found.isDirectory()) throw notSent(`${folder} is not a folder. Give a new one.`);
  // Windows has no such permissions, and reports 0o666.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw notSent(`Others can read ${folder}, and it gets secrets. Give a new folder, or: chmod 700 ${folder}`);
  }
  requireWritable(folder);
}

function existingParent(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) ? parent : existingParent(parent);
}

function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw notWritten(folder, cause);
  }
}

/** Begins a run in a folder for which `requirePrivateFolder` has passed. */
export function createRotation(
  folder: string,
  command: RotationCommand,
  keys: readonly PlannedKey[],
  now = new Date(),
): RotationFolder {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw notWritten(folder, cause);
  }
  const head = { command, runId: randomUUID(), startedAt: now.toISOString(), keys };
  writeWhole(join(folder, 'progress.jsonl'), `${JSON.stringify(head)}\n`);
  return rotationFolder(folder, head, []);
}

function rotationFolder(folder: string, head: Head, earlier: readonly RotationOutcome[]): RotationFolder {
  const outcomes = new Map(earlier.map((outcome) => [outcome.keyId, outcome]));
  const failures = new Map<string, number>();
  for (const { keyId, outcome } of earlier) {
    if (outcome === 'failed') failures.set(keyId, (failures.get(keyId) ?? 0) + 1);
  }
  const add = (outcome: RotationOutcome) => {
    appendFileSync(join(folder, 'progress.jsonl'), `${JSON.stringify(outcome)}\n`);
    outcomes.set(outcome.keyId, outcome);
  };
  return {
    keys: head.keys,
    outcomes,
    requestIdOf: ({ keyId }) => `${head.runId}/${failures.get(keyId) ?? 0}/${keyId}`,
    add,
    addKey: ({ appId, keyId }, key) => {
      mkdirSync(join(folder, appId), { recursive: true, mode: 0o700 });
      writeWhole(join(folder, appId, `${key.keyId}.json`), `${JSON.stringify({ replaces: keyId, ...key }, null, 2)}\n`);
      add({ appId, keyId, outcome: 'rotated', newKeyId: key.keyId });
    },
    writeReport: (report) => writeWhole(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`),
  };
}

/** Without a last line that a crash has cut off. */
function readLines(path: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}
