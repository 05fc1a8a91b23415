import { join } from 'node:path';
import { describeRecipe } from './describe-recipe.ts';

const file = join(import.meta.dirname, '../../../../examples/login-flask/login-flask.py');

describeRecipe('Flask', {
  tools: ['Authlib'],
  // Debian's Python, which has Debian's packages.
  prepare: () => ['/usr/bin/python3', file],
});
