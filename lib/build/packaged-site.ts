import { join } from 'node:path';

/** Takes the place of what finds or makes these folders: the package contains the built dashboard and documentation. */
export const dashboardFolder = join(import.meta.dirname, '../site/dashboard');

export function documentationFolder(): string {
  return join(import.meta.dirname, '../site/docs');
}
