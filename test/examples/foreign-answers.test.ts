import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { needing } from '../support/needing.ts';
import { readDocument } from '../support/run-document.ts';
import type { ToolName } from '../support/tools.ts';
import { languageNames, openSigners, type ReferenceSigners, toolsOf } from './reference-signers.ts';

const connect = await readDocument('docs/integrate/README.md');
const quickstart = await readDocument('docs/integrate/quickstart.md');
const project = join(import.meta.dirname, '../..');
const elsewhere = '/elsewhere';

interface Answer {
  readonly status?: number;
  /** Null: the answer has no nonce. Default: that of the request. */
  readonly nonce?: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** Members that replace those of an access that is enabled, or a whole body. */
  readonly body?: object | string;
}

/** What a cache, a login page or an attacker may answer: `enabled`, but not with the nonce of the request. */
const foreign: Readonly<Record<string, Answer>> = {
  'no-nonce': { nonce: null },
  'earlier-nonce': { nonce: '00112233445566778899aabbccddeeff' },
  'redirect-302': { status: 302, nonce: null, headers: { location: elsewhere } },
  'redirect-308': { status: 308, nonce: null, headers: { location: elsewhere } },
};

/** Answers with the right nonce whose status says that they decide nothing. */
const failed: Readonly<Record<string, Answer>> = {
  'status-304': { status: 304 },
  'status-500': { status: 500 },
  'redirect-with-nonce': { status: 307, headers: { location: elsewhere } },
};

/** Answers with the right nonce and status 200 that do not say that this user is enabled. */
const unclear: Readonly<Record<string, Answer>> = {
  'another-user': { body: { userId: 'root' } },
  'status-is-a-list': { body: { effectiveStatus: ['enabled'] } },
  'status-is-missing': { body: { effectiveStatus: undefined } },
  'a-list': { body: '["enabled"]' },
  'a-text': { body: '"enabled"' },
  'half-an-answer': { body: '{"effectiveStatus":"enabled"' },
  'no-body': { body: '' },
};

const answers: Readonly<Record<string, Answer>> = { ...foreign, ...failed, ...unclear };

const settings = { userStatus: 'active', decidedBy: 'default', roles: [], version: 0, updatedAt: null };
const access = { appId: 'billing', status: 'enabled', explicit: false, until: null, reason: null, ...settings };

function bodyOf(userId: string, { body = {} }: Answer): string {
  if (typeof body === 'string') return body;
  return JSON.stringify({ userId, ...access, effectiveStatus: 'enabled', ...body });
}

/** Answers `enabled` to all: to `ada` as the service does, to another user as the answer of that name says. */
function openStandIn(paths: string[]): Server {
  return createServer(({ url = '', headers }, response) => {
    paths.push(url);
    const [, userId = 'ada'] = /\/users\/([^/]+)\/access$/.exec(url) ?? [];
    const answer = answers[userId] ?? {};
    const [, sent = ''] = /;nonce="([^"]+)"/.exec(String(headers['signature-input'])) ?? [];
    const nonce = answer.nonce === null ? {} : { 'request-nonce': answer.nonce ?? sent };
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...nonce, ...answer.headers })
      .end(bodyOf(userId, answer));
  });
}

const paths: string[] = [];
const standIn = openStandIn(paths);
let signers: ReferenceSigners;
let scratch: string;
let env: Record<string, string>;
beforeAll(async () => {
  [signers, scratch] = await Promise.all([openSigners(), mkdtemp(join(tmpdir(), 'foreign-answers-'))]);
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
  const BASE_URL = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
  env = { BASE_URL, KEY_ID: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX', SECRET: `svs_${'A'.repeat(43)}` };
});
beforeEach(() => {
  paths.length = 0;
});
afterAll(async () => {
  await Promise.all([signers.remove(), rm(scratch, { recursive: true })]);
  standIn.closeAllConnections();
  await new Promise((resolve) => standIn.close(resolve));
});

async function run(program: string, args: readonly string[], cwd = scratch, PYTHONPATH = ''): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env, PYTHONPATH } });
  return stdout;
}

interface DecidingFunction {
  readonly tools: readonly ToolName[];
  /** Writes the section's program and returns what it prints about these users. */
  decide(text: string, userIds: readonly string[]): Promise<string>;
}

/** The functions of the page, by its headings. */
const functions: Readonly<Record<string, DecidingFunction & { readonly language: string }>> = {
  'An application in Node.js': {
    language: 'js',
    tools: [],
    decide: (text, userIds) => {
      const program = text
        .replace("'@auth-service/client'", `'${join(project, 'client/index.ts')}'`)
        // The function rejects: it does not take such an answer for a refusal.
        .replace('client.isAllowed(userId)', '$&.catch(() => false)');
      const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program, '--'];
      // The process has no file name among its arguments, which the program leaves out.
      return run(process.execPath, [...options, '-', ...userIds], project);
    },
  },
  'An application in Python': {
    language: 'python',
    tools: ['Python packages'],
    decide: async (text, userIds) => {
      await writeFile(join(scratch, 'connect.py'), text);
      // As the page of the SDK installs it.
      return run('/usr/bin/python3', ['connect.py', ...userIds], scratch, join(project, 'sdk/python/src'));
    },
  },
  'An application in Go': {
    language: 'go',
    tools: ['Go'],
    decide: async (text, userIds) => {
      const application = join(scratch, 'application');
      await mkdir(application);
      // As the page of the SDK installs it.
      const required = 'require auth-service/authservice v0.1.0\n\nreplace auth-service/authservice => ';
      await writeFile(join(application, 'go.mod'), `module example.com/app\n\n${required}${join(project, 'sdk/go')}\n`);
      await writeFile(join(application, 'main.go'), text);
      return run('go', ['run', '.', ...userIds], application);
    },
  },
  'An application in Java': {
    language: 'java',
    tools: ['Java'],
    decide: async (text, userIds) => {
      // As the page of the SDK builds it.
      const classes = join(scratch, 'classes');
      await run('javac', ['-d', classes, ...globSync(join(project, 'sdk/java/src/main/java/authservice/*.java'))]);
      await writeFile(join(scratch, 'Connect.java'), text);
      return run('java', ['-cp', classes, 'Connect.java', ...userIds]);
    },
  },
};

for (const [heading, { language, tools, decide }] of Object.entries(functions)) {
  needing(...tools).test(
    `${heading} lets nobody in by an answer that is not the service's to its request`,
    async () => {
      const [text = ''] = connect.section(`### ${heading}`).blocks(language);
      const decisions = (await decide(text, [...Object.keys(answers), 'ada'])).trim().toLowerCase().split('\n');
      expect(decisions).toEqual([...Object.keys(answers).map((userId) => `${userId} false`), 'ada true']);
      expect(paths.filter((path) => path === elsewhere)).toEqual([]);
      expect(new Set(paths).size).toBe(Object.keys(answers).length + 1);
    },
  );
}

for (const language of languageNames) {
  needing(...toolsOf(language)).test(
    `the command of the ${language} signer fails, and prints no access, unless the service has answered its request`,
    async () => {
      const ask = (userId: string) =>
        signers.run(language, ['GET', `${env.BASE_URL}/api/service/users/${userId}/access`], env);
      const right = await ask('ada');
      expect([right.exitCode, JSON.parse(right.stdout).effectiveStatus]).toEqual([0, 'enabled']);
      for (const userId of Object.keys({ ...foreign, ...failed })) {
        const { exitCode, stdout } = await ask(userId);
        expect([userId, exitCode]).not.toEqual([userId, 0]);
        if (userId in foreign) expect([userId, stdout]).toEqual([userId, '']);
      }
      expect(paths.filter((path) => path === elsewhere)).toEqual([]);
    },
  );
}

test('the page of the signers says what an answer must satisfy', () => {
  expect(quickstart.section('## Other languages').text).toContain('(signing.md#the-answer)');
});
