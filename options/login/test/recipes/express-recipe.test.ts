import { join } from 'node:path';
import { describeRecipe } from './describe-recipe.ts';

const file = join(import.meta.dirname, '../../../../examples/login-express/login-express.ts');

describeRecipe('Express', {
  tools: [],
  needsIssuer: true,
  prepare: () => [process.execPath, '--disable-warning=ExperimentalWarning', file],
});
