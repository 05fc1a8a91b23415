import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Keeps the CDK's compiled code, and ours without its types, for the next synthesis, which then takes two thirds of the time. As
// TypeScript, this file itself would load what removes types: https://nodejs.org/api/module.html#module-compile-cache
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/auth-service/compile'));
