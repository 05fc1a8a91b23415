import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WholeFile, writeWhole } from '#shared/files/whole-file.ts';
import { runOnFullDisk } from '../../support/run-on-full-disk.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-service-files-'));
  file = join(folder, 'secret.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = () => readFileSync(file, 'utf8');
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a file that cannot be written completely keeps its earlier content, or does not exist', () => {
  const write = `writeWhole(${JSON.stringify(file)}, 'x'.repeat(1_000_000));`;
  const code = `import { writeWhole } from '#shared/files/whole-file.ts'; ${write}`;
  expect(runOnFullDisk(code, 100).status).not.toBe(0);
  expect(readdirSync(folder).filter((name) => name === 'secret.json')).toEqual([]);
  writeFileSync(file, 'as it was');
  expect(runOnFullDisk(code, 100).status).not.toBe(0);
  expect(text()).toBe('as it was');
  expect(runOnFullDisk(code, 100_000).status).toBe(0);
  expect(text()).toHaveLength(1_000_000);
});

test('a file is readable only by its owner unless the caller says otherwise, even if the replaced file was public', () => {
  writeFileSync(file, 'as it was', { mode: 0o644 });
  writeWhole(file, 'secret');
  expect([text(), modeOf(file)]).toEqual(['secret', 0o600]);
  writeWhole(file, 'public', { mode: 0o644 });
  expect([text(), modeOf(file)]).toEqual(['public', 0o644]);
});

test('a new file does not replace an existing one', () => {
  writeFileSync(file, 'as it was');
  expect(() => writeWhole(file, 'secret', { isNew: true })).toThrow('already exists');
  expect([text(), readdirSync(folder)]).toEqual(['as it was', ['secret.json']]);
});

test('a file appears when it is finished, and a discarded one leaves nothing behind', () => {
  const partial = new WholeFile(file);
  partial.write('one, ');
  expect(readdirSync(folder)).not.toContain('secret.json');
  partial.write('two');
  partial.finish();
  partial.discard();
  expect([text(), readdirSync(folder)]).toEqual(['one, two', ['secret.json']]);
  const other = new WholeFile(file);
  other.write('three');
  other.discard();
  expect([text(), readdirSync(folder)]).toEqual(['one, two', ['secret.json']]);
});

test("a killed process's partial file is removed only by the next process that writes the file", () => {
  const write = `new WholeFile(${JSON.stringify(file)}).write('secret'); process.kill(process.pid, 'SIGKILL');`;
  const code = `import { WholeFile } from '#shared/files/whole-file.ts'; ${write}`;
  const argv = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', code];
  expect(spawnSync(process.execPath, argv, { cwd: join(import.meta.dirname, '../../..') }).signal).toBe('SIGKILL');
  const [left = ''] = readdirSync(folder);
  expect(left).toMatch(/^secret\.json\.\d+-.*\.tmp$/);
  const ofRunning = `secret.json.${process.ppid}-${randomUUID()}.tmp`;
  writeFileSync(join(folder, ofRunning), '');
  writeWhole(join(folder, 'other.json'), 'other');
  expect(readdirSync(folder)).toContain(left);
  writeWhole(file, 'secret');
  expect(readdirSync(folder).sort()).toEqual(['other.json', 'secret.json', ofRunning].sort());
});

test('a link remains a link to the replaced file', () => {
  writeFileSync(file, 'as it was');
  const link = join(folder, 'link');
  symlinkSync(file, link);
  writeWhole(link, 'new');
  expect([text(), readFileSync(link, 'utf8')]).toEqual(['new', 'new']);
});

test('a device is written to and not replaced', () => {
  writeWhole('/dev/null', 'nothing');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});
