import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { atMost, type Measured, missesBudget } from '../../bench/measurement.ts';
import { decisionsAtVolume, measuredNames } from '../../bench/performance-page.ts';
import { readResults, reportText, withResult } from '../../bench/performance-report.ts';

const measured = (report: Measured['report'], budgets: Measured['budgets'] = []): Measured => ({
  at: '2026-11-21T00:00:00.000Z',
  machine: { node: 'v24', cpu: 'some', cores: 2, load: 0.4 },
  budgets,
  report,
});

test('the page has the texts and the budgets of each measurement, its date and the load of the machine', () => {
  const text = reportText({
    bundles: measured(['Some words.'], [atMost('bytes', 3, 2, 'KB'), atMost('requests', 1, 2, '')]),
  });
  expect(text).toContain('### Size of the functions\n\nSome words.\n\n**Budgets:**');
  expect(text).toContain('**Budgets:** **bytes 3 KB (≤ 2 KB), missed**; requests 1 (≤ 2).');
  expect(text).toContain('_2026-11-21, 2 × some, Node v24, load 0.4 before._');
});

test('repeating one measurement keeps the others, in the order of the page', () => {
  const before = { load: measured(['All of them.']), warm: measured(['Earlier.']) };
  const after = withResult(before, 'warm', measured(['Later.']));
  expect(Object.keys(after)).toEqual(['warm', 'load']);
  const text = reportText(after);
  expect(text).toContain('Later.');
  expect(text).toContain('All of them.');
  expect(text).not.toContain('Earlier.');
});

test('decisions at volume are calculated from the measurements of each way to decide', () => {
  const figures = {
    http: {
      readFunctionMicroseconds: 500,
      checkFunctionMicroseconds: 25,
      readServerMicroseconds: 1000,
      readDatabaseMicroseconds: 200,
      checkServerMicroseconds: 50,
      checkDatabaseMicroseconds: 20,
    },
    cost: { getDollars: 1.89, checkDollars: 27, pollDollars: 1.82 },
    replica: { checkMicroseconds: 0.25 },
  };
  const results = Object.fromEntries(
    Object.entries(figures).map(([name, each]) => [name, { ...measured([]), figures: each }]),
  );
  const text = decisionsAtVolume(results);
  expect(text).toContain('which took 200 µs more for a GET and 20 µs for each user of a check');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.slice(2)).toEqual([
    '| one user: `GET access` | 500 | 1000 | 2,000 | 1,000 | 1.89 | none: strongly consistent |',
    '| 100 users: `POST access/check` | 25 | 50 | 40,000 | 20,000 | 0.27 | none: strongly consistent |',
    '| a replica in the application | 0.25 | – | 4,000,000 | – | 0, plus 0.96 per month and process | 5 s, `pollSeconds` |',
  ]);
});

describe('the page that is checked in', () => {
  const results = readResults();
  const page = readFileSync(join(import.meta.dirname, '../../docs/contribute/performance.md'), 'utf8');

  test('matches the results that are checked in', () => {
    expect(page).toBe(reportText(results));
  });

  test('has every measurement of the bench', () => {
    expect(Object.keys(results)).toEqual(measuredNames);
  });

  test('has at most 200 lines', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  test('keeps every budget', () => {
    expect(Object.values(results).flatMap(({ budgets }) => budgets.filter(missesBudget))).toEqual([]);
  });

  test('does not claim to measure a deployment', () => {
    expect(page).not.toMatch(/\bdeployed (?:bundle|function|asset)/i);
  });
});

test('NaN misses its budget', () => {
  expect(missesBudget(atMost('nothing', Number.NaN, 1, '×'))).toBe(true);
});
