import type { AlarmDefinition } from '#lib/monitoring/alarm-definition.ts';
import { serviceMetric } from '#lib/monitoring/monitored-metrics.ts';
import type { AddToStack } from '#lib/option-stack.ts';
import type { Stage } from '#lib/settings/stages.ts';
import { listChangesOperation } from '#shared/contract/history.ts';
import { Webhooks } from './webhook-delivery.ts';

/** With the setting `webhooks`, delivers changes to the webhooks of applications. */
export const addWebhooks: AddToStack = (stack, settings) => {
  const { stage, standby, webhooks: formats, changeRetentionDays, accountConcurrency } = settings;
  if (formats.length === 0) return undefined;
  const { table, rootKey, serviceApi, changeEvents } = stack;
  const webhooks = new Webhooks(stack, 'Webhooks', {
    stage,
    standby,
    formats,
    changeRetentionDays,
    accountConcurrency,
    table,
    rootKey,
    apiUrl: serviceApi.url,
  });
  const { deliverer, waker, eventKeyArn } = webhooks;
  webhooks.letWake(changeEvents.numberer);
  table.grantUse(changeEvents.numberer, { queries: ['webhook'] });
  webhooks.letReadKey(serviceApi.functions.get(listChangesOperation.name));
  return {
    functions: [deliverer, waker],
    // Deliveries that find no environment wait, and a receiver that is slow is not an overload.
    busyFunctions: [deliverer],
    alarms: [webhookAlarm(stage)],
    keyArns: eventKeyArn === undefined ? [] : [eventKeyArn],
  };
};

/** Its application does not hear of blocks any more, so one is enough. */
function webhookAlarm(stage: Stage): AlarmDefinition {
  return {
    name: 'webhook-turned-off',
    description: 'A webhook turned itself off: its receiver accepted nothing for three days, or answered 410.',
    metric: serviceMetric(stage, 'WebhooksTurnedOff'),
    threshold: 1,
  };
}
