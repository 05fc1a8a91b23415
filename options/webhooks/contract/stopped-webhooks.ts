import type { OverviewMember } from '#shared/contract/overview-member.ts';

/** A webhook that does not deliver, with the name of its application. */
export interface StoppedWebhook {
  readonly appId: string;
  readonly name: string;
  readonly webhookId: string;
}

/** The webhooks that turned themselves off, on the overview. */
export const stoppedMember: OverviewMember<readonly StoppedWebhook[]> = {
  name: 'webhooksStopped',
  lines: (stopped) =>
    stopped.map(({ appId, webhookId }) => ['webhook that has stopped', `${webhookId} of ${appId}`] as const),
};
