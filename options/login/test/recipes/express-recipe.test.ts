import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { describeRecipe } from './describe-recipe.ts';

const file = join(import.meta.dirname, '../../../../examples/login-express/login-express.ts');

describeRecipe(
  'Express',
  {
    tools: [],
    needsIssuer: true,
    prepare: () => [process.execPath, '--disable-warning=ExperimentalWarning', file],
  },
  (running) => {
    test('ends with the reason when its port is in use', async () => {
      const { client, home } = running;
      const env = { ...process.env, ISSUER: client.issuer, CLIENT_ID: client.clientId, PORT: new URL(home).port };
      await expect(promisify(execFile)(process.execPath, [file], { env })).rejects.toThrow('EADDRINUSE');
    });
  },
);
