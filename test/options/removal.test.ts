import { expect, test } from '@jest/globals';
import { optionNames, removeOption } from './remove-option.ts';

/** All but the login, which the construct `AccessApplication` registers applications for. */
const removable = optionNames.filter((name) => name !== 'login');
/** The names in `OPTION`; otherwise one of them, another one each day. */
const day = Math.floor(Date.now() / 86_400_000);
const chosen = process.env.OPTION?.split(',') ?? removable.slice(day % removable.length).slice(0, 1);

/** What names commands, folders and pages; the documents need the stack, which is synthesized for them. */
const checked = [
  'test/architecture.test.ts',
  'test/cli/program.test.ts',
  'test/docs/documents.test.ts',
  'test/docs/errors.test.ts',
  'test/docs/openapi.test.ts',
  'test/mutation/rooms.test.ts',
  'test/stack/bundle-function.test.ts',
];

test.each(chosen)('the project works without the folder of the option %s and the lines that name it', async (name) => {
  await using project = await removeOption(name);
  expect(project.lines.length).toBeLessThanOrEqual(8);
  await project.run('npm run build:docs');
  await project.run('npx tsc');
  await project.run('npx tsc -p dashboard');
  await project.run(`npm test -- ${checked.join(' ')}`);
});
