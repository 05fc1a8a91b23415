import { relative } from 'node:path';
import { buildClient, packClient } from './build-client.ts';

/** `npm run build:client`: writes the package that applications install, and its tarball, to `client/package`. */
await buildClient();
console.log(relative(process.cwd(), packClient()));
