import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { atMost, type Measured, missesBudget } from '../../bench/measurement.ts';
import { measuredNames, pageText, readResults, withResult } from '../../bench/performance-page.ts';

const measured = (report: Measured['report'], budgets: Measured['budgets'] = []): Measured => ({
  at: '2026-11-21T00:00:00.000Z',
  machine: { node: 'v24', cpu: 'some', cores: 2, load: 0.4 },
  budgets,
  report,
});

test('the page has the texts and the budgets of each measurement, its date and the load of the machine', () => {
  const text = pageText({
    bundles: measured(['Some words.'], [atMost('bytes', 3, 2, 'KB'), atMost('requests', 1, 2, '')]),
  });
  expect(text).toContain('### Size of the functions\n\nSome words.\n\n**Budgets.**');
  expect(text).toContain('**Budgets.** _2026-11-21, 2 × some, Node v24, load 0.4 before._');
  expect(text).toContain('\n\n- **bytes 3 KB (≤ 2 KB), missed**\n- requests 1 (≤ 2)\n');
});

test('repeating one measurement keeps the others, in the order of the page', () => {
  const before = { load: measured(['All of them.']), warm: measured(['Earlier.']) };
  const after = withResult(before, 'warm', measured(['Later.']));
  expect(Object.keys(after)).toEqual(['warm', 'load']);
  const text = pageText(after);
  expect(text).toContain('Later.');
  expect(text).toContain('All of them.');
  expect(text).not.toContain('Earlier.');
});

describe('the page that is checked in', () => {
  const results = readResults();
  const page = readFileSync(join(import.meta.dirname, '../../docs/contribute/performance.md'), 'utf8');

  test('matches the results that are checked in', () => {
    expect(page).toBe(pageText(results));
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
