import { join } from 'node:path';

/** The folder of the built dashboard of this project. */
export const dashboardFolder = join(import.meta.dirname, '../../dashboard/dist');
