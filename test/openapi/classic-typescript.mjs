import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// TypeScript 7 has no JavaScript API yet, so generators use the TypeScript 5 that attw installs.
const { resolve } = createRequire(createRequire(import.meta.url).resolve('@arethetypeswrong/core'));
const classic = pathToFileURL(resolve('typescript')).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? classic : specifier, context),
});
