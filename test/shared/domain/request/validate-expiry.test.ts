import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { invalidField } from '#shared/core/errors.ts';
import { validateExpiry } from '#shared/domain/request/validate-expiry.ts';

const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const inYears = (years: number) => {
  const end = new Date();
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return end;
};

describe('validateExpiry', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-11-20T19:00:00.000Z') });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('accepts no expiry, and an expiry at most five years ahead', () => {
    expect(() => validateExpiry('until', null)).not.toThrow();
    expect(() => validateExpiry('until', inMilliseconds(1))).not.toThrow();
    expect(() => validateExpiry('until', inYears(5).toISOString())).not.toThrow();
  });

  test('refuses a past expiry, naming the field', () => {
    expect(() => validateExpiry('until', inMilliseconds(-1))).toThrow(invalidField('until', 'must be in the future'));
  });

  test('refuses an expiry more than five years ahead', () => {
    const end = new Date(inYears(5).getTime() + 1).toISOString();
    expect(() => validateExpiry('expiresAt', end)).toThrow(invalidField('expiresAt', 'must be at most 5 years ahead'));
  });
});
