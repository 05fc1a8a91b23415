import { maxPageSize } from '#shared/contract/limits.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { CliError, exitCodes } from './cli-error.ts';
import type { ManageClient } from './manage-client.ts';
import { pageQuery } from './show-pages.ts';

/** A user's access in one application: the Management API only lists it with the others. */
export async function findAccess(client: ManageClient, userId: string, appId: string): Promise<UserAccessView> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = pageQuery(maxPageSize, cursor);
    const page = await client.call('list-user-access', { path: { userId }, query });
    const found = page.items.find((access) => access.appId === appId);
    if (found !== undefined) return found;
    cursor = page.cursor;
  }
  throw new CliError(`There is no application ${appId}.`, { exitCode: exitCodes.notFound });
}
