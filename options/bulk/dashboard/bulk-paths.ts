import type { Bulk } from '#dashboard/options/option-pages.ts';

/** The path of the page of a bulk change; without an application, one of the global status. */
export function bulkPath({ bulkId, appId }: Bulk): string {
  return `/bulk/${bulkId}${appQuery(appId)}`;
}

/** The path of the page that undoes it. */
export function undoBulkPath({ bulkId, appId }: Bulk): string {
  return `/bulk/${bulkId}/undo${appQuery(appId)}`;
}

/** The state of a navigation to that page by somebody who has just seen what it undoes. */
export const undoAtOnce = { undoAtOnce: true };

function appQuery(appId: string | undefined): string {
  return appId ? `?${new URLSearchParams({ app: appId })}` : '';
}
