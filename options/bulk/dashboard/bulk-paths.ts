import { noReason, type Reason } from '#dashboard/forms/reason-fields.tsx';
import type { Bulk } from '#dashboard/options/option-pages.ts';

/** The path of the page of a bulk change; without an application, one of the global status. */
export function bulkPath({ bulkId, appId }: Bulk): string {
  return `/bulk/${bulkId}${appQuery(appId)}`;
}

/** The path of the page that undoes it. */
export function undoBulkPath({ bulkId, appId }: Bulk): string {
  return `/bulk/${bulkId}/undo${appQuery(appId)}`;
}

/** The path of the page that undoes it in these applications only. */
export function undoBulkInPath(bulkId: string, appIds: readonly string[]): string {
  return `/bulk/${bulkId}/undo?${new URLSearchParams(appIds.map((appId) => ['app', appId]))}`;
}

/** The state of a navigation to that page by somebody who has just seen what it undoes, and has said why. */
export function undoAtOnce(why: Reason = noReason) {
  return { undoAtOnce: why };
}

/** Why it is undone at once; undefined if a preview comes first. */
export function undoneAtOnce(state: unknown): Reason | undefined {
  return (state as Partial<ReturnType<typeof undoAtOnce>> | null)?.undoAtOnce;
}

function appQuery(appId: string | undefined): string {
  return appId ? `?${new URLSearchParams({ app: appId })}` : '';
}
