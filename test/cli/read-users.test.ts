import { expect, test } from '@jest/globals';
import { readUserIds } from '../../cli/bulk/read-users.ts';

test('reads one id per line, without comments, blank lines, Windows line endings and duplicates', () => {
  const content = '\ufeff# staff\r\nada\r\n\r\n  auth0|123  # by name\ngrace\nada\n';
  expect(readUserIds(content, 'ids.txt')).toEqual(['ada', 'auth0|123', 'grace']);
});

test('rejects the whole file when a line is not an id, and names the lines', () => {
  const mistake = expect.objectContaining({
    message: 'ids.txt has lines that are not user ids. Nothing was sent.',
    notes: ['line 2: "ada,Ada Lovelace"', 'line 4: ".."'],
    exitCode: 2,
  });
  expect(() => readUserIds('grace\nada,Ada Lovelace\nalan\n..', 'ids.txt')).toThrow(mistake as unknown as Error);
});

test('names at most ten lines', () => {
  const content = Array.from({ length: 12 }, (_, n) => `a b${n}`).join('\n');
  expect(() => readUserIds(content, '-')).toThrow(
    expect.objectContaining({ notes: expect.arrayContaining(['and 2 more']) }) as unknown as Error,
  );
});
