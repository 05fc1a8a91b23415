import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = join(import.meta.dirname, '../../docs/operate');
const pages = readdirSync(folder)
  .map((name) => ({ name, commands: commandsOf(readFileSync(join(folder, name), 'utf8')) }))
  .filter(({ commands }) => /\baws [a-z]/.test(commands));

function commandsOf(text: string): string {
  return [...text.matchAll(/^```(?:sh|bash)\n(.*?)^```/gms)].map(([, block = '']) => block).join('\n');
}

test.each(pages)('$name defines the functions that its commands call', ({ commands }) => {
  for (const name of ['out', 'arn']) {
    const [used = commands.length] = [...commands.matchAll(new RegExp(`\\$\\(${name} `, 'g'))].map(
      ({ index }) => index,
    );
    if (used < commands.length) expect(commands.slice(0, used)).toContain(`${name}() {`);
  }
});

test.each(pages)('$name shows what to replace, so that the shell leaves it as it is', ({ commands }) => {
  expect(commands).not.toContain('…');
  const unquoted = commands.replaceAll(/'[^']*'|"[^"]*"|<<</g, '');
  expect(unquoted.match(/<[a-zA-Z][^<\n]*>/)).toBeNull();
});

// https://docs.aws.amazon.com/cli/latest/userguide/cliv2-migration-changes.html
test.each(pages)('$name has no option that only one version of the AWS CLI knows', ({ commands }) => {
  expect(commands).not.toMatch(/--cli-binary-format|--no-cli-pager|--cli-auto-prompt|--cli-input-yaml/);
});
