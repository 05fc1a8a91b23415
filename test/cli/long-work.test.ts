import { expect, test } from '@jest/globals';
import { progressLine } from '../../cli/bulk/bulk-report.ts';
import { filled } from '../../cli/service/show-pages.ts';
import { progressOf, type Terminal } from '../../cli/terminal/terminal.ts';

/** What is written to the standard error of a terminal, or of anything else. */
function written(isTTY: boolean) {
  const texts: string[] = [];
  const stderr = { isTTY, write: (text: string) => texts.push(text) > 0 } as Terminal['stderr'];
  const note = (...lines: readonly string[]) => void texts.push(...lines);
  return { texts, terminal: { stderr, note } as Terminal };
}

const none = { changed: 0, unchanged: 0, failed: 0 };

test('a bulk change shows its bar before the first answer, and one line of text elsewhere', () => {
  for (const isTTY of [true, false]) {
    const { texts, terminal } = written(isTTY);
    const line = progressLine(terminal, 1000);
    line.show(none);
    line.show(none);
    expect(texts.at(-1)).toContain('0 of 1,000 users: 0 changed, 0 unchanged, 0 failed');
    expect(texts).toHaveLength(isTTY ? 2 : 1);
  }
});

test('other long work is shown from its first part on, and elsewhere after every tenth', () => {
  const terminal = written(true);
  progressOf(terminal.terminal).show('0 users');
  expect(terminal.texts).toEqual(['\r\u001b[K0 users …']);
  const file = written(false);
  const progress = progressOf(file.terminal);
  for (let count = 0; count <= 20; count++) progress.show(`${count} users`);
  expect(file.texts).toEqual(['10 users …', '20 users …']);
});

test('a search over pages without a match says how many it has read, and clears its line', async () => {
  const { texts, terminal } = written(true);
  const empty = { items: [] as string[], cursor: 'two' };
  const last = { items: ['ada'], cursor: null };
  const fetchPage = filled({ terminal }, async ({ cursor }) => (cursor === 'two' ? last : empty));
  expect((await fetchPage({})).items).toEqual(['ada']);
  expect(texts).toEqual(['Searching …', 'Searching: nothing on 1 page …', ''].map((text) => `\r\u001b[K${text}`));
});
