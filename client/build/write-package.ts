import { relative } from 'node:path';
import { packPackage } from '#shared/files/pack-package.ts';
import { buildClient } from './build-client.ts';
import { packageFolder } from './client-package.ts';

/** `npm run build:client`: writes the package that applications install, and its tarball, to `client/package`. */
await buildClient();
console.log(relative(process.cwd(), packPackage(packageFolder)));
