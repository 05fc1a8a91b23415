import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { root } from '#test/support/source-files.ts';
import { nextProgram } from '#test/support/tools.ts';
import { describeRecipe } from './describe-recipe.ts';

const folder = join(root, 'examples/login-next');

describeRecipe('Next.js', {
  tools: ['Next.js'],
  // Next.js makes it of every address of this machine.
  hostname: 'localhost',
  clientType: 'confidential',
  callbackPath: '/auth/callback/login',
  prepare: async () => {
    // It checks the types too.
    const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
    await promisify(execFile)(process.execPath, [nextProgram, 'build', folder], { env });
    return [process.execPath, nextProgram, 'start', folder, '--hostname', '127.0.0.1'];
  },
  env: (_, home) => ({
    AUTH_URL: home,
    // However long a page takes after the proxy, it must not refresh what it cannot store.
    MAX_AGE_MS: '0',
    AUTH_SECRET: randomBytes(32).toString('hex'),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  }),
  // A proxy of Next.js redirects: it sets no status of a page.
  expectBlocked: (page, home) => expect(page.location().href).toBe(`${home}/no-access`),
  expectRefused: ({ html }) => expect(html).toContain('You no longer have access.'),
  expectUnavailable: (page, home) => expect(page.location().href).toBe(`${home}/unavailable`),
});
