import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { type BulkCommand, openProgress } from '../../cli/bulk/bulk-progress.ts';

const folder = mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
const file = join(folder, 'ids.txt');
afterAll(() => rmSync(folder, { recursive: true }));

const command: BulkCommand = { url: 'https://a', appId: 'billing', status: 'disabled', until: '2h' };
const until = '2026-11-20T21:14:11.123Z';
const now = new Date('2026-11-20T19:14:11.123Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const ada: BulkOutcome = { userId: 'ada', outcome: 'changed' };

beforeEach(() => {
  rmSync(`${file}.progress`, { force: true });
  openProgress(file, command, until, now).add([ada]);
});

describe('the progress of a run', () => {
  test('is resumed by the same command, with the timestamp of the first run', () => {
    const { outcomes, until: resumedUntil } = openProgress(file, command, '2026-11-20T22:00:00.000Z', later(1));
    expect([outcomes, resumedUntil]).toEqual([[ada], until]);
  });

  test.each<[string, Partial<BulkCommand>]>([
    ['status', { status: 'enabled' }],
    ['application', { appId: 'wiki' }],
    ['service', { url: 'https://b' }],
    ['end', { until: '3h' }],
  ])('is discarded for another %s', (_, other) => {
    expect(openProgress(file, { ...command, ...other }, until, now).outcomes).toEqual([]);
  });

  test('is discarded when its timestamp has passed, and after a day', () => {
    expect(openProgress(file, command, '2026-11-21T00:00:00.000Z', later(3)).outcomes).toEqual([]);
    const endless = { ...command, until: null };
    openProgress(file, endless, null, now).add([ada]);
    expect(openProgress(file, endless, null, later(23)).outcomes).toEqual([ada]);
    expect(openProgress(file, endless, null, later(25)).outcomes).toEqual([]);
  });

  test('survives a line cut off by a crash, and one after it', () => {
    appendFileSync(`${file}.progress`, '[{"userId":"gra');
    const grace: BulkOutcome = { userId: 'grace', outcome: 'changed' };
    openProgress(file, command, until, now).add([grace]);
    expect(openProgress(file, command, until, now).outcomes).toEqual([ada, grace]);
  });

  test.each(['', 'null\n', '{}\n', '"x"\n', 'ada\n'])('is discarded when the file contains %j', (content) => {
    writeFileSync(`${file}.progress`, content);
    expect(openProgress(file, command, until, now).outcomes).toEqual([]);
  });

  test('that cannot be written prevents the run', () => {
    expect(() => openProgress(join(folder, 'none/ids.txt'), command, until, now)).toThrow(
      'Cannot write the progress file',
    );
  });
});
