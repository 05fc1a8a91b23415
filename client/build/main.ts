import { join } from 'node:path';
import { buildClient } from './build-client.ts';

/** `npm run build:client`: the package that applications install, in `client/dist`. */
await buildClient(join(import.meta.dirname, '../dist'));
