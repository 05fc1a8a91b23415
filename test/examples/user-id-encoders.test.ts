import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needing } from '../support/needing.ts';
import { readDocument } from '../support/run-document.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import type { ToolName } from '../support/tools.ts';

const page = (await readDocument('examples/README.md')).section('### User ids in URLs');
const awkwardId = "a!b$c&d'e(f)g*h+i,j;k=l:m@n|o-p.q_r";
const ids = [awkwardId, `${awkwardId}~`];

interface Encoder {
  readonly tools: readonly ToolName[];
  readonly file: string;
  /** A program that prints the encoding of each argument, by this expression. */
  program(expression: string): string;
  /** How `sh` runs it in its folder. */
  readonly command: string;
}

const languages: Readonly<Record<string, Encoder>> = {
  Java: {
    tools: ['Java'],
    file: 'Encode.java',
    program: (expression) => `import static java.nio.charset.StandardCharsets.UTF_8;
import java.net.URLEncoder;
class Encode {
    public static void main(String[] ids) {
        for (var id : ids) System.out.println(${expression});
    }
}`,
    command: 'java Encode.java "$@"',
  },
  PHP: {
    tools: ['PHP'],
    file: 'encode.php',
    program: (expression) => `<?php foreach (array_slice($argv, 1) as $id) echo ${expression}, "\\n";`,
    command: 'php encode.php "$@"',
  },
  Ruby: {
    tools: ['Ruby'],
    file: 'encode.rb',
    program: (expression) => `require 'erb'\nrequire 'uri'\nARGV.each { |id| puts ${expression} }\n`,
    command: 'ruby encode.rb "$@"',
  },
  'C#': {
    tools: ['C#'],
    file: 'Encode.cs',
    program: (expression) => `using System;
using System.Net;
class Encode {
    static void Main(string[] ids) {
        foreach (var id in ids) Console.WriteLine(${expression});
    }
}`,
    command: 'mcs Encode.cs && mono Encode.exe "$@"',
  },
};

let service: TestService;
let folder: string;
beforeAll(async () => {
  [service, folder] = await Promise.all([startSources(), mkdtemp(join(tmpdir(), 'auth-service-encoders-'))]);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await service.stop();
});

/** Returns the encodings of the ids, and what the service says about a signed request with each. */
async function ask({ file, program, command }: Encoder, expression: string): Promise<unknown[]> {
  await writeFile(join(folder, file), program(expression));
  const { stdout } = await promisify(execFile)('sh', ['-c', command, 'sh', ...ids], { cwd: folder });
  const encoded = stdout.trim().split('\n');
  const codes = encoded.map(async (id) => {
    const { status, body } = await service.request(['GET', `/api/service/users/${id}/access`]);
    return [id, status, body.code];
  });
  return Promise.all(codes);
}

/** The rows of the table: language, the right encoder, one that breaks signatures. */
const rows = page.text
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, , code = '']) => code.startsWith('`'))
  .map(([, language = '', right = '', wrong = '']) => ({
    language,
    right: right.replaceAll('`', ''),
    wrong: wrong.replaceAll('`', ''),
  }));

test('the page names an encoder for each language of this test', () => {
  expect(rows.map(({ language }) => language)).toEqual(Object.keys(languages));
});

const canonical = 'a%21b%24c%26d%27e%28f%29g%2Ah%2Bi%2Cj%3Bk%3Dl%3Am%40n%7Co-p.q_r';

for (const { language, right, wrong } of rows) {
  const encoder = languages[language];
  if (encoder === undefined) continue;
  needing(...encoder.tools).test(`${right} of ${language} encodes user ids as they are signed`, async () => {
    expect(await ask(encoder, right)).toEqual([
      [canonical, 404, 'user_not_found'],
      [`${canonical}~`, 404, 'user_not_found'],
    ]);
  });

  needing(...encoder.tools).test(`${wrong} of ${language} breaks the signature of an id with a tilde`, async () => {
    const [, withTilde] = await ask(encoder, wrong);
    expect(withTilde).toEqual([expect.stringMatching(/%7E$/), 401, 'signature_mismatch']);
  });
}
