import { join } from 'node:path';
import { buildClient } from './build-client.ts';

/** `npm run build:client`: writes the package that applications install to `client/dist`. */
await buildClient(join(import.meta.dirname, '../dist'));
