import { expect, test } from '@jest/globals';
import { countOf, nameOperator } from '#shared/contract/wording.ts';

test('a count and its noun agree', () => {
  expect([0, 1, 2500].map((count) => countOf(count, 'user'))).toEqual(['0 users', '1 user', '2,500 users']);
  expect([1, 2].map((count) => countOf(count, 'history', 'histories'))).toEqual(['1 history', '2 histories']);
});

test.each([
  ['the e-mail address', { via: 'token', id: 'sub', email: 'eve@example.com' }, 'eve@example.com'],
  [
    'the subject of a token, even one that looks like an ARN',
    { via: 'token', id: 'arn:aws:iam::1:user/a' },
    'token arn:aws:iam::1:user/a',
  ],
  [
    'the end of an ARN',
    { via: 'iam', id: 'arn:aws-cn:sts::123456789012:assumed-role/Admin/ada' },
    'assumed-role/Admin/ada',
  ],
  ['another IAM id unchanged', { via: 'iam', id: 'local-operator', email: null }, 'local-operator'],
] as const)('an operator is named by %s', (_, operator, name) => {
  expect(nameOperator(operator)).toBe(name);
});
