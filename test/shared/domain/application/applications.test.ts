import { expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { tableFormat, tableFormatKey } from '#shared/contract/table-format.ts';
import { createApplication, listApplications, updateApplication } from '#shared/domain/application/applications.ts';
import { operatorAttempt, operatorContext } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const create = (appId: string, requestId = `${appId}-1`) =>
  createApplication(
    { appId: appId as AppId, name: appId.toUpperCase() },
    operatorAttempt(requestId, requestId.slice(0, -1)),
  );

const memory = tableForEachTest();

test('all attempts of a call create an application once and get the same response', async () => {
  const created = await create('billing');
  expect(created).toMatchObject({ appId: 'billing', name: 'BILLING', rolloutPercent: 100, version: 1 });
  expect(await create('billing', 'billing-2')).toEqual(created);
  await expect(create('billing', 'other-1')).rejects.toMatchObject({ code: 'already_exists' });
});

test('the first application of a table is created with the format of the table, in one transaction', async () => {
  const transactions = () => memory.sdk.requests.filter(({ command }) => command === 'TransactWriteItemsCommand');
  const writesFormat = () => transactions().map(({ input }) => JSON.stringify(input).includes('"FORMAT"'));
  await create('billing');
  await create('wiki');
  expect(writesFormat()).toEqual([true, false]);
  expect(memory.table.get(tableFormatKey)).toEqual({ ...tableFormatKey, format: tableFormat });
});

test('the history of an application has its request limit only where the limit was changed', async () => {
  const appId = 'billing' as AppId;
  await create('billing');
  await updateApplication({ appId, name: 'Invoices' }, operatorContext);
  await updateApplication({ appId, requestsPerSecond: 200 }, operatorContext);
  await updateApplication({ appId, requestsPerSecond: null }, operatorContext);
  const changes = memory.table.items().filter(({ action, after }) => action === 'application.updated' && after);
  const whole = { name: 'Invoices', rolloutPercent: 100 };
  expect(changes.map(({ before, after }) => [before, after])).toEqual([
    [
      { ...whole, name: 'BILLING', version: 1 },
      { ...whole, version: 2 },
    ],
    [
      { ...whole, requestsPerSecond: null, version: 2 },
      { ...whole, requestsPerSecond: 200, version: 3 },
    ],
    [
      { ...whole, requestsPerSecond: 200, version: 3 },
      { ...whole, requestsPerSecond: null, version: 4 },
    ],
  ]);
});

test('an operator limited to some applications sees only these, if they exist', async () => {
  for (const appId of ['billing', 'crm', 'wiki']) await create(appId);
  const list = async (limit: number, limitedTo?: string[], cursor?: string) => {
    const page = await listApplications({ limit, cursor }, limitedTo as AppId[]);
    return [page.items.map(({ appId }) => appId), page.cursor] as const;
  };
  expect(await list(10)).toEqual([['billing', 'crm', 'wiki'], null]);
  expect(await list(10, ['crm', 'gone', 'wiki'])).toEqual([['crm', 'wiki'], null]);
  expect(await list(10, [])).toEqual([[], null]);
  const [first, cursor] = await list(1, ['billing', 'wiki']);
  expect([first, await list(1, ['billing', 'wiki'], cursor ?? '')]).toEqual([['billing'], [['wiki'], null]]);
});
