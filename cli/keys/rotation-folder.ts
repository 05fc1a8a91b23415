import { randomUUID } from 'node:crypto';
import { accessSync, appendFileSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import { notSent, notWritten } from '../terminal/cli-error.ts';
import { commandLine } from '../terminal/command-line.ts';

/** The arguments of a run; only an identical command resumes it. */
export interface RotationCommand {
  readonly url: string;
  readonly root: string;
  readonly overlap: string;
}

/** A key to rotate. */
export interface PlannedKey {
  readonly appId: string;
  readonly keyId: string;
}

/** The outcome for one key. `inactive`: it had already expired or been revoked. */
export interface RotationOutcome extends PlannedKey {
  readonly outcome: 'rotated' | 'inactive' | 'failed';
  readonly newKeyId?: string;
  readonly code?: string;
  readonly detail?: string;
}

interface Head {
  readonly command: RotationCommand;
  /** Part of each Idempotency-Key, so that a retry after a lost answer returns the same new key. */
  readonly runId: string;
  readonly startedAt: string;
  readonly keys: readonly PlannedKey[];
}

/** The folder of a run: the plan, the outcomes, and a file with the secret of each new key. */
export interface RotationFolder {
  readonly keys: readonly PlannedKey[];
  readonly outcomes: ReadonlyMap<string, RotationOutcome>;
  /** The `Idempotency-Key` of a rotation; a new one after the service has refused it. */
  requestIdOf(key: PlannedKey): string;
  /** Stores the secret on disk, then records the key as rotated. */
  addKey(old: PlannedKey, key: IssuedKeyView): void;
  add(outcome: RotationOutcome): void;
  writeReport(report: object): void;
}

/** The service stores the outcome of a request for a day. */
const maxAgeMilliseconds = 23.5 * 3600 * 1000;

/** The run in a folder; undefined for a new folder. Throws for a run of another command or one older than a day. */
export function readRotation(folder: string, command: RotationCommand, now = new Date()): RotationFolder | undefined {
  const lines = readLines(join(folder, 'progress.jsonl'));
  const [head, ...outcomes] = lines as [Head | undefined, ...RotationOutcome[]];
  if (head === undefined) return undefined;
  if (JSON.stringify(head.command) !== JSON.stringify(command)) {
    throw notSent(`${folder} contains the run of a different command. Choose another folder.`);
  }
  if (now.getTime() - Date.parse(head.startedAt) > maxAgeMilliseconds) {
    throw notSent(`The run in ${folder} started at ${head.startedAt}. A run can be resumed only for a day.`, [
      'Choose another folder to start with the keys that are active now. progress.jsonl lists the finished keys.',
    ]);
  }
  return rotationFolder(folder, head, outcomes);
}

/** Throws for a folder that a run cannot write to, or that others can read. */
export function requirePrivateFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    requireWritable(existingParent(folder));
    return;
  }
  if (!found.isDirectory()) throw notSent(`${folder} is not a folder. Choose another path.`);
  // Windows has no such permissions, and reports 0o666.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw notSent(
      `Other users can read ${folder}. Choose a new folder for the secrets, or run: ${commandLine('chmod', ['700', folder])}`,
    );
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

/** Starts a run in a folder that has passed `requirePrivateFolder`. */
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
      writeWhole(join(folder, appId, `${key.keyId}.json`), `${JSON.stringify({ ...key, replaces: keyId }, null, 2)}\n`);
      add({ appId, keyId, outcome: 'rotated', newKeyId: key.keyId });
    },
    writeReport: (report) => writeWhole(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`),
  };
}

/** Ignores a last line cut off by a crash. */
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
