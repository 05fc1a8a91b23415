import { afterAll, expect, test } from '@jest/globals';
import { timestampOf, typedTimeOf } from '#shared/contract/typed-time.ts';

/** Clocks go forward from 2:00 to 3:00 on 28 March 2027, and back from 3:00 to 2:00 on 31 October. */
const zone = 'Europe/Berlin';

const before = process.env.TZ;
process.env.TZ = zone;
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

// Only now, because its words keep the time zone of its start.
const { describeSkipped, expiryTimestamp, noExpiry } = await import('#dashboard/forms/chosen-expiry.ts');

const endOf = (choice: 'today' | 'friday', now: string) => expiryTimestamp({ ...noExpiry, choice }, Date.parse(now));

test.each([
  ['today', '2026-11-30T07:00:00Z', '2026-11-30T22:59:00.000Z'],
  // In Berlin it is Tuesday already.
  ['today', '2026-11-30T23:30:00Z', '2026-12-01T22:59:00.000Z'],
  ['friday', '2026-11-30T07:00:00Z', '2026-12-04T22:59:00.000Z'],
  ['friday', '2026-12-03T23:30:00Z', '2026-12-11T22:59:00.000Z'],
  ['friday', '2026-12-05T07:00:00Z', '2026-12-11T22:59:00.000Z'],
  // Behind a change of clocks.
  ['friday', '2027-03-27T12:00:00Z', '2027-04-02T21:59:00.000Z'],
] as const)('the end of %s, asked at %s, is %s in the time zone of the operator', (choice, now, end) => {
  expect(endOf(choice, now)).toBe(end);
});

test('a date ends at the end of the day unless a time is typed', () => {
  expect(expiryTimestamp({ ...noExpiry, choice: 'at' }, 0)).toBeUndefined();
  expect(expiryTimestamp({ ...noExpiry, choice: 'at', day: '2026-12-24' }, 0)).toBe('2026-12-24T22:59:00.000Z');
  expect(expiryTimestamp({ choice: 'at', day: '2026-12-24', time: '14:0' }, 0)).toBeUndefined();
});

test.each(['02:00', '02:30', '02:59'])('%s is refused on the day on which the clocks skip it', (time) => {
  expect(timestampOf({ day: '2027-03-28', time })).toBeUndefined();
});

test('a skipped time is refused with both times that it can mean', () => {
  const words = describeSkipped({ day: '2027-03-28', time: '02:30' });
  expect(words).toMatch(/skip 02:30 on this day/);
  expect(words).toMatch(/before \([^)]*\b0?1:30[^)]*\) or after \([^)]*\b0?3:30[^)]*\)/);
});

test.each([
  ['2027-03-28', '01:59', '2027-03-28T00:59:00.000Z'],
  ['2027-03-28', '03:00', '2027-03-28T01:00:00.000Z'],
  // The clocks show it twice: the first is meant.
  ['2027-10-31', '02:30', '2027-10-31T00:30:00.000Z'],
])('%s %s is a time', (day, time, at) => {
  expect([timestampOf({ day, time }), describeSkipped({ day, time })]).toEqual([at, undefined]);
});

test('a timestamp is typed as it is shown', () => {
  expect(typedTimeOf('2026-12-04T22:59:00.000Z')).toEqual({ day: '2026-12-04', time: '23:59' });
});
