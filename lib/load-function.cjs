// The entry of every function's bundle, copied there as index.js: runs function.js with the code that V8 compiled from it
// in the build. V8 itself compares its version, its flags and the code's length, and compiles as usual when one differs or
// there is no function.cache; nothing else changes.
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script, constants } = require('node:vm');

const filename = join(__dirname, 'function.js');
const cache = join(__dirname, 'function.cache');
// The bundle is one expression, a function, in ASCII, so that V8 keeps one byte a character.
const script = new Script(readFileSync(filename, 'latin1'), {
  filename,
  cachedData: existsSync(cache) ? readFileSync(cache) : undefined,
  // The SDK imports node:http when it needs it.
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(exports, require, module, filename, __dirname);
