import { applicationPath } from '#dashboard/shell/page-paths.ts';

/** The path of a webhook's page. */
export function webhookPath(appId: string, webhookId: string): string {
  return `${applicationPath(appId)}/webhooks/${encodeURIComponent(webhookId)}`;
}
