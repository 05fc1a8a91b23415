import { stripTypeScriptTypes } from 'node:module';

/** Node's own type stripping: it keeps lines and columns, so stack traces need no source map. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
