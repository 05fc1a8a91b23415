import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { KeyId } from '#shared/contract/fields.ts';
import { invalidField } from '#shared/core/errors.ts';
import { validateExpiry } from '#shared/domain/request/validate-expiry.ts';

const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const inYears = (years: number, from = new Date()) => {
  const end = new Date(from);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return end;
};
const operator = {};

describe('validateExpiry', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-11-20T19:00:00.000Z') });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('accepts no end, and an end at most five years ahead', () => {
    expect(() => validateExpiry('until', null, operator)).not.toThrow();
    expect(() => validateExpiry('until', inMilliseconds(1), operator)).not.toThrow();
    expect(() => validateExpiry('until', inYears(5).toISOString(), operator)).not.toThrow();
  });

  test('refuses an end that has passed, naming the field', () => {
    expect(() => validateExpiry('until', inMilliseconds(-1), operator)).toThrow(
      invalidField('until', 'must lie in the future'),
    );
  });

  test('refuses an end more than five years ahead', () => {
    const end = new Date(inYears(5).getTime() + 1).toISOString();
    expect(() => validateExpiry('expiresAt', end, operator)).toThrow(
      invalidField('expiresAt', 'must lie at most 5 years ahead'),
    );
  });

  test('counts the five years of a signed request from its signature', () => {
    const created = Math.floor(Date.now() / 1000) - 300;
    const nonce = { keyId: 'svk' as KeyId, value: 'n', created };
    expect(() => validateExpiry('until', inYears(5).toISOString(), { nonce })).toThrow('at most 5 years ahead');
    const fromSignature = inYears(5, new Date(created * 1000)).toISOString();
    expect(() => validateExpiry('until', fromSignature, { nonce })).not.toThrow();
  });
});
