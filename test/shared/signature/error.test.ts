import { expect, test } from '@jest/globals';
import { malformed, SignatureError } from '#shared/signature/error.ts';

test('a SignatureError names its code and detail in its message', () => {
  expect(String(malformed('no label'))).toBe('SignatureError: signature_malformed: no label');
  expect(malformed('no label')).toMatchObject({ code: 'signature_malformed', detail: 'no label', members: {} });
});

test('a SignatureError carries the members of the problem', () => {
  expect(new SignatureError('clock_skew', 'late', { windowSeconds: 300 }).members).toEqual({ windowSeconds: 300 });
});
