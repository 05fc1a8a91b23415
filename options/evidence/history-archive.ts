import { strToU8, unzipSync, zipSync } from 'fflate';
import * as v from 'valibot';
import type { Change } from '#shared/contract/change.ts';
import { createChangeFile, type KnownNames } from '#shared/csv/change-table.ts';
import { describeVerification, type Verification, verificationSchema } from './verification.ts';

const names = { table: 'changes.csv', changes: 'changes.json', result: 'verification.json', words: 'verification.txt' };

export interface ArchiveContent {
  readonly changes: readonly Change[];
  readonly names: KnownNames;
  readonly verification: Verification;
}

/** An export for an auditor as a ZIP file: the table, the records with their MACs, and the result of their verification. */
export function writeArchive({ changes, names: known, verification }: ArchiveContent): Uint8Array<ArrayBuffer> {
  const textOf = (format: 'csv' | 'json') => {
    const { begin, add, end } = createChangeFile(format);
    return strToU8(begin + add(changes, known) + end);
  };
  return zipSync({
    [names.table]: textOf('csv'),
    [names.changes]: textOf('json'),
    [names.result]: strToU8(`${JSON.stringify(verification, null, 2)}\n`),
    [names.words]: strToU8(describeVerification(verification)),
  });
}

/** What an archive contains; nothing of it is verified yet. */
export interface ReadArchive {
  readonly table: string;
  /** JSON. */
  readonly changes: string;
  readonly verification: v.InferOutput<typeof verificationSchema>;
}

/** Whether a file is a ZIP file, by its first bytes. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/** More would not fit into memory, whatever a forged archive contains. */
const maxFileBytes = 512 * 1024 * 1024;

/** Keeps the byte order mark of the table. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads an archive; throws an Error that says what is wrong with it. */
export function readArchive(bytes: Uint8Array): ReadArchive {
  const files = unzip(bytes);
  const textOf = (name: string) => {
    const file = files[name];
    if (file === undefined) throw new Error(`has no ${name}`);
    return decoder.decode(file);
  };
  const verification = v.safeParse(v.pipe(v.string(), v.parseJson(), verificationSchema), textOf(names.result));
  if (!verification.success) throw new Error(`has a ${names.result} that this version cannot read`);
  return { table: textOf(names.table), changes: textOf(names.changes), verification: verification.output };
}

function unzip(bytes: Uint8Array) {
  try {
    const wanted = Object.values(names);
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => wanted.includes(name) && originalSize < maxFileBytes,
    });
  } catch (cause) {
    throw new Error('is not a complete ZIP file', { cause });
  }
}
