import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { directoryOperations, questionOperations } from '../../bench/bearer-operations.ts';
import type { Operation } from '../../bench/costed-operation.ts';
import { assumed, numberingUnits } from '../../bench/prices.ts';
import { webhookOperations } from '../../bench/webhook-operations.ts';
import { costedOf, costRow, eachMinuteDollars, webhookDollars, webhookRow } from './cost-rows.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operate/costs.md'), 'utf8');
const text = page.replaceAll(/\s+/g, ' ');

/** The rows of the table whose first column has this head. */
function rowsOf(head: string): string[] {
  const [, table = ''] = new RegExp(`^\\| ${head} .*?\\n\\|[^\\n]*\\n(.*?)\\n\\n`, 'ms').exec(page) ?? [];
  return table.split('\n').map((row) => row.replaceAll(/ +/g, ' '));
}

const [numbering, ...runs] = webhookOperations as readonly [Operation, ...Operation[]];
const named = (name: string) => {
  const found = webhookOperations.find(({ operation }) => operation === name);
  if (found === undefined) throw new Error(`The bench does not measure "${name}"`);
  return found;
};

test('the costs of connections follow from the units that the bench measures, and the prices', () => {
  const operations = [...questionOperations, ...directoryOperations];
  expect(rowsOf('of a connection')).toEqual(expect.arrayContaining(operations.map((each) => costRow(costedOf(each)))));
});

test('the costs of webhooks follow from the units that the bench measures, and the prices', () => {
  expect(rowsOf('for webhooks')).toEqual(runs.map(webhookRow));
});

test('the page says what webhooks cost at rest, and what they add to each change', () => {
  const rest = eachMinuteDollars(named('look for something to deliver')).toFixed(2);
  const waking = eachMinuteDollars(named('wake all webhooks')).toFixed(2);
  expect(text).toContain(`costs $${rest} a month at rest`);
  expect(text).toContain(`waking all of them $${waking}`);
  expect(numbering.designed.readUnits - numberingUnits.read).toBe(1);
  expect(text).toContain('one read unit more for each change that gets its number');
});

test('the page says what it assumes of deliveries, and what they cost together', () => {
  expect(text).toContain(`${assumed.receiverMilliseconds} ms for each receiver`);
  expect(text).toContain(`${assumed.deliveryGigabytes * 1024} MB`);
  const alone = webhookDollars(named('deliver a change, `standard`'));
  const five = webhookDollars(named('deliver 5 changes at once, `standard`'));
  expect(text).toContain(`each further one costs $${((five - alone) / 4).toFixed(2)} a million`);
});
