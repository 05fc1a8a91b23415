import { relative } from 'node:path';
import { packPackage } from '#shared/files/pack-package.ts';
import { buildConstructs, constructsFolder } from './build-constructs.ts';

/** `npm run build:cdk`: writes the package of the CDK constructs, and its tarball, to `lib/package`. */
await buildConstructs();
console.log(relative(process.cwd(), packPackage(constructsFolder)));
