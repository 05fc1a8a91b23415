import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AwsStandIn, awsEnvironment, startAwsStandIn } from '../../bench/aws-stand-in.ts';
import { growTable } from '../../bench/measure-growth.ts';
import { type OpenFunctions, openFunctions } from '../../bench/open-functions.ts';
import { sampleRequests } from '../../bench/sample-requests.ts';
import { type WrittenTable, writeTable } from '../../bench/written-table.ts';
import { needing } from '../support/needing.ts';

needing('OpenSSL').describe('with the stand-in for AWS', () => {
  const opened: OpenFunctions[] = [];
  let table: WrittenTable;
  let standIn: AwsStandIn;
  beforeAll(async () => {
    const context = { directory: '', assembly: process.env.TEST_ASSEMBLY ?? '', progress: () => undefined };
    table = await writeTable(context, { users: 1, accesses: 1 });
    await growTable(table, 100);
    standIn = await startAwsStandIn(table.dynamodb);
  });
  afterAll(async () => {
    await Promise.all(opened.map((functions) => functions.close()));
    standIn.close();
    await table.close();
  });

  function open(fileOf: (name: string) => string): OpenFunctions {
    const functions = openFunctions({ fileOf, environment: awsEnvironment(standIn.url) });
    opened.push(functions);
    return functions;
  }

  test('a read, a write and a check are answered from the table that the service has written, and many users have its role', async () => {
    const { read: get, write: set, check } = sampleRequests(table);
    const { answers, cpuMicroseconds } = await open(table.fileOf).run([get(), set(), check()]);
    const [read, written, checked] = answers.map(({ body = '' }) => JSON.parse(body));
    expect(read).toMatchObject({ effectiveStatus: 'enabled', roles: [{ name: 'role-000' }] });
    expect(written).toMatchObject({ changed: true, status: 'disabled' });
    expect(checked.items).toHaveLength(100);
    for (const item of checked.items) expect(item).toMatchObject({ explicit: true, roles: [{ name: 'role-000' }] });
    expect(cpuMicroseconds).toBeGreaterThan(0);
  });

  test('every write succeeds and changes nothing', async () => {
    const { write: set } = sampleRequests(table);
    const { answers } = await open(table.fileOf).run([set(), set()]);
    expect(answers.map(({ body = '' }) => JSON.parse(body).changed)).toEqual([true, true]);
  });

  test('a response with an unexpected status is an error', async () => {
    const { read: get } = sampleRequests(table);
    await expect(open(table.fileOf).run([get()], 404)).rejects.toThrow('Answered 200');
  });

  test('the raw request reads the three items of a GET', async () => {
    const raw = join(import.meta.dirname, '../../bench/raw-post.cjs');
    const { answers } = await open(() => raw).run([sampleRequests(table).read()]);
    const [found] = Object.values<object[]>(JSON.parse(answers[0]?.body ?? '').Responses);
    expect(found).toHaveLength(3);
  });
});
