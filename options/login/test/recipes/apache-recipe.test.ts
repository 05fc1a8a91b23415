import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder } from '#test/local/write-assembly.ts';
import { eventually } from '#test/support/eventually.ts';
import { describeRecipe } from './describe-recipe.ts';
import { openRecipeBrowser } from './recipe-browser.ts';

const file = join(import.meta.dirname, '../../../../examples/login-apache/login-apache.conf');
const modules = [
  'mpm_event',
  'authn_core',
  'authz_core',
  'authz_user',
  'headers',
  'proxy',
  'proxy_http',
  'auth_openidc',
];
/** The characters of field names beside letters and digits (RFC 9110 section 5.6.2). */
const separators = [..."-!#$%&'*+.^_`|~"];

/** An application that knows no OpenID Connect, and takes any such character for an underscore, as some do. */
const backend = createServer(({ rawHeaders }, response) => {
  const valuesOf = (name: string) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toUpperCase().replace(/[^A-Z0-9]/g, '_') === name);
  const [user, roles] = [valuesOf('AUTHUSER'), valuesOf('AUTHROLES')];
  response.end(`<dd>${user.join()}</dd><dd>${roles.join() || 'none'}</dd>`);
});
beforeAll(async () => {
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
});
afterAll(() => void backend.close());

describeRecipe(
  'Apache',
  {
    tools: ['Apache'],
    clientType: 'confidential',
    prepare: async () => {
      const folder = await makeFolder();
      const main = join(folder, 'httpd.conf');
      const lines = [
        `ServerRoot ${folder}`,
        `PidFile ${folder}/pid`,
        // Node.js gives it a socket, which /dev/stderr cannot open.
        'ErrorLog "|$/bin/cat >&2"',
        'ServerName 127.0.0.1',
        // Only if root starts it.
        'User www-data',
        'Group www-data',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Apache
        'Listen 127.0.0.1:${PORT}',
        ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        `Include ${file}`,
      ];
      await writeFile(main, `${lines.join('\n')}\n`);
      return ['/usr/sbin/apache2', '-D', 'FOREGROUND', '-f', main];
    },
    env: ({ issuer }) => ({
      LOGIN_PAGES: issuer,
      COOKIE_SECRET: randomBytes(32).toString('hex'),
      BACKEND: `127.0.0.1:${(backend.address() as AddressInfo).port}`,
    }),
    begin: (browser, home) => browser(`${home}/`),
    end: (browser, home) => browser(`${home}/callback?logout=`),
    expectBlocked: (page, home) => expect(page.location().href).toBe(`${home}/no-access`),
    // The page of the module.
    expectRefused: ({ html }) => expect(html).toContain('You have no access to this application.'),
    expectUnavailable: (page, home) => expect(page.location().href).toBe(`${home}/no-access`),
  },
  (running) => {
    test('shows a page with 403 to a user whose session has ended', async () => {
      const { status, html } = await openRecipeBrowser()(`${running.home}/no-access`);
      expect(status).toBe(403);
      expect(html).toContain('You no longer have access.');
    });

    test('lets only users with a role enter a part of the application', async () => {
      const { stack, client, home } = running;
      const { browser, userId } = await running.enter();
      const refused = await browser(`${home}/editors`);
      expect(refused.status).toBe(403);
      await stack.assignEditor(userId, client.appId);
      const admitted = await eventually(
        () => browser(`${home}/editors`),
        ({ status }) => status !== 403,
      );
      expect(admitted).toMatchObject({ status: 200, html: `<dd>${userId}</dd><dd>editor</dd>` });
    });

    test('passes no user and no role that a caller names', async () => {
      const { home } = running;
      const { browser, userId } = await running.enter();
      const spelled = separators.flatMap((each) => [
        `Auth${each}User`,
        `Auth${each}Roles`,
        `AuthUser${each}`,
        `${each}AuthRoles`,
      ]);
      const given = ['AuthUser', 'authuser', 'AUTHROLES', 'OIDC_CLAIM_roles', 'OIDC-CLAIM-user_id', ...spelled];
      const attacks = [
        Object.fromEntries(given.map((name) => [name, 'other'])),
        { connection: 'AuthUser, AuthRoles' },
        { connection: 'close, AuthUser', AuthUser: 'other' },
        { connection: 'keep-alive, authuser', 'proxy-connection': 'AuthUser' },
      ];
      for (const headers of attacks) {
        expect(await browser(`${home}/`, undefined, headers)).toMatchObject({
          status: 200,
          html: `<dd>${userId}</dd><dd>none</dd>`,
        });
      }
    });
  },
);
