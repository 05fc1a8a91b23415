import type { Bulk } from '#dashboard/options/option-pages.ts';

/** The path of the page of a bulk change; without an application, one of the global status. */
export function bulkPath({ bulkId, appId }: Bulk): string {
  return `/bulk/${bulkId}${appQuery([appId])}`;
}

/** The path of the page that undoes it. */
export function undoBulkPath({ bulkId, appId }: Bulk): string {
  return undoBulkInPath(bulkId, [appId]);
}

/** The path of the page that undoes it in these applications only. */
export function undoBulkInPath(bulkId: string, appIds: readonly (string | undefined)[]): string {
  return `/bulk/${bulkId}/undo${appQuery(appIds)}`;
}

function appQuery(appIds: readonly (string | undefined)[]): string {
  const given = appIds.flatMap((appId) => (appId ? [['app', appId]] : []));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
