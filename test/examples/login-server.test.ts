import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { openReader, type PageReader } from '../support/page-reader.ts';
import { readDocument } from '../support/run-document.ts';

const root = join(import.meta.dirname, '../..');

let reader: PageReader;
beforeAll(async () => {
  reader = await openReader();
});
afterAll(() => reader.close());

test('the login server starts with the command of the page, and shows its login', async () => {
  const [commands = ''] = (await readDocument('docs/integrate/logins.md'))
    .section('## A login server of your own')
    .blocks('sh');
  const [command = ''] = /^npx node examples\/login-server\/login-server\.ts/m.exec(commands) ?? [];
  const port = await freePort();
  const server = spawn(process.execPath, [join(root, command.replace('npx node ', ''))], {
    cwd: reader.folder.path,
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  try {
    const query = new URLSearchParams({
      client_id: 'billing',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://127.0.0.1:3011/callback',
      // RFC 7636 appendix B.
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const answer = await eventually(
      () => fetch(`http://127.0.0.1:${port}/auth?${query}`, { redirect: 'manual' }).catch(() => undefined),
      (each) => each !== undefined,
    );
    expect(answer?.headers.get('location')).toMatch(/^\/login\//);
    const cookie =
      answer?.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ') ?? '';
    const page = await fetch(`http://127.0.0.1:${port}${answer?.headers.get('location')}`, { headers: { cookie } });
    expect(await page.text()).toContain('<button>Log in</button>');
  } finally {
    server.kill();
  }
});
