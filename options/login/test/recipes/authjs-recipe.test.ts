import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describeRecipe } from './describe-recipe.ts';

const file = join(import.meta.dirname, '../../../../examples/login-authjs/login-authjs.ts');

describeRecipe('Auth.js', {
  tools: [],
  clientType: 'confidential',
  callbackPath: '/auth/callback/login',
  prepare: () => [process.execPath, '--disable-warning=ExperimentalWarning', file],
  env: () => ({ AUTH_SECRET: randomBytes(32).toString('hex') }),
});
