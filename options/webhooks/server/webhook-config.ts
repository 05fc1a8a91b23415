import { isOnLambda, splitList, variable } from '#shared/core/config.ts';

/** How the deployment delivers to webhooks. */
export interface WebhookConfig {
  /** The formats that webhooks can have; none if the deployment has no webhooks. */
  readonly formats: readonly string[];
  /** The function that delivers; undefined in a process that cannot wake it. */
  readonly deliverer: string | undefined;
  /** The function that wakes all webhooks; undefined in a process that cannot invoke it. */
  readonly waker: string | undefined;
  /** Whether receivers on this machine are allowed, over plain HTTP: only in a local run. */
  readonly allowsLoopback: boolean;
}

/** Read at each call: a local run sets it after the process has started. */
export function webhookConfig(): WebhookConfig {
  return {
    formats: splitList(variable('WEBHOOK_FORMATS') ?? ''),
    deliverer: variable('DELIVER_WEBHOOK_FUNCTION'),
    waker: variable('WAKE_WEBHOOKS_FUNCTION'),
    allowsLoopback: variable('WEBHOOK_LOOPBACK') === 'allowed' && !isOnLambda(),
  };
}
