import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { numberingUnits } from '../../bench/prices.ts';
import { historyIndexKey } from '../../shared/table/keys/change-item-keys.ts';

/** Counted by the tests of the costs: a GET reads three items, a change writes five in a transaction. */
const readUnits = 3;
const tableWriteUnits = 10;
/** The outcome of the call and the pending change are in partitions of their own. */
const [nonceUnits, pendingUnits] = [2, 2];
/** Of a GET: the user and the access. */
const userReadUnits = 2;
/** AWS's limits for one partition, and its quotas for a table and for one that is new. */
const partition = { read: 3000, write: 1000 };
const tables = { quota: { read: 40_000, write: 40_000 }, 'when it is new': { read: 12_000, write: 4000 } };

const format = (value: number) => Math.floor(value).toLocaleString('en-US');
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('the figures of scale follow from the counted units', async () => {
  const page = (await readFile('docs/operate/scale.md', 'utf8')).replaceAll(/ +/g, ' ');
  const changeUnits = tableWriteUnits + numberingUnits.write;
  for (const [name, { read, write }] of Object.entries(tables)) {
    expect(page).toMatch(
      new RegExp(
        `^\\| table, ${name} .*\\| ${format(read / readUnits)} GETs, or ${format(write / changeUnits)} changes`,
        'm',
      ),
    );
  }
  const ofUser = tableWriteUnits - nonceUnits - pendingUnits;
  expect(page).toContain(
    `of one user ${format(partition.read / userReadUnits)} GETs, ${format(partition.write / ofUser)} changes`,
  );
  // The counters are in another partition.
  const alone = pendingUnits + numberingUnits.write - 1;
  expect(page).toContain(`**${format(partition.write / alone)} changes** at first`);
  // In a full block, a change takes little more than its pending entry and the deletion of it.
  const together = Math.floor(partition.write / (alone - 1) / 10) * 10;
  expect(page).toContain(`so ${format(partition.write / alone)} to ${together} changes of one application`);
  const partitions = new Set([...alphabet].map((last) => historyIndexKey(`0${last}`).gsi2pk)).size;
  const listed = partitions * partition.write;
  expect(page).toContain(`| ${format(listed)} changes, in sixteen partitions |`);
  expect(page).toContain(`sixteen such partitions: ${format(listed)} changes per second`);
});

test('the pages agree on the quota of KMS', async () => {
  const pages = await Promise.all(['scale', 'capacity'].map((name) => readFile(`docs/operate/${name}.md`, 'utf8')));
  for (const page of pages) expect(page).toMatch(/\| KMS[^|]*\| 10,000 /);
});
