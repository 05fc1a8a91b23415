import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Without the CDK's compiled code, and the types that are stripped from ours, from an earlier run, a synthesis takes a third longer.
// https://nodejs.org/api/module.html#module-compile-cache
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/auth-service/compile'));
await import('./synthesize-app.ts');
