import { relative } from 'node:path';
import { buildConstructs, packConstructs } from './build-constructs.ts';

/** `npm run build:cdk`: writes the package of the CDK constructs, and its tarball, to `lib/package`. */
await buildConstructs();
console.log(relative(process.cwd(), packConstructs()));
