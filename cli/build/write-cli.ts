import { relative } from 'node:path';
import { packPackage } from '#shared/files/pack-package.ts';
import { buildCli, cliFolder } from './build-cli.ts';

/** `npm run build:cli`: writes the package that operators install, and its tarball, to `cli/package`. */
await buildCli();
console.log(relative(process.cwd(), packPackage(cliFolder)));
