import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { describeMembers, descriptionOf } from '#shared/contract/descriptions.ts';

test('a member means the same wherever its schema is reused: another description of it is refused', () => {
  const name = v.string();
  describeMembers({ name }, { name: 'The name of the application.' });
  describeMembers({ name, id: v.string() }, { name: 'The name of the application.' });
  expect(() => describeMembers({ name }, { name: 'The name of the connection.' })).toThrow(
    'The schema of name already means: The name of the application.',
  );
  expect(descriptionOf(name, 'name')).toBe('The name of the application.');
});
