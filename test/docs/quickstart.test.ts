import { expect, test } from '@jest/globals';
import { readClientPackage } from '../../client/build/client-package.ts';
import { readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/integrate/quickstart.md');

test('the quickstart installs the SDK by its name', () => {
  expect(page.blocks('bash').join('')).toContain(`from '${readClientPackage().name}'`);
});

test('the quickstart has each language once', () => {
  const asking = page.section('## Other languages').blocks('bash').join('');
  const files = ['sign.sh', 'sign.py', 'sign.go', 'Sign.java', 'sign.php', 'sign.rb'];
  for (const file of files)
    expect(asking.split(` ${file} `).length - 1 + asking.split(`./${file} `).length - 1).toBe(1);
});
