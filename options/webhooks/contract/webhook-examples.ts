import { exampleStart, exampleTime, pathExamples } from '#shared/contract/examples.ts';

/** A webhook that has delivered nothing yet. */
export const exampleWebhook = {
  webhookId: pathExamples.webhookId,
  url: 'https://billing.example.com/hooks/access',
  format: 'standard',
  enabled: true,
  events: ['user.status.changed', 'access.changed'],
  state: 'on',
  offReason: null,
  secrets: [{ secretId: 'w1_01KB3Z8Q6V0M5E7R9T1W3Y5A7D', expiresAt: null }],
  failingSince: null,
  lastError: null,
  lastDeliveredAt: null,
  nextAttemptAt: null,
  oldestUndelivered: null,
  version: 1,
  createdAt: exampleStart,
  updatedAt: exampleStart,
} as const;

/** The same webhook after its secret was replaced. */
export const exampleRotatedWebhook = {
  ...exampleWebhook,
  secrets: [
    { secretId: 'w1_01KB407XWJ2P4S6V8Y0A1C3E6H', expiresAt: null },
    { secretId: exampleWebhook.secrets[0].secretId, expiresAt: '2026-11-21T19:14:11.123Z' },
  ],
  version: 3,
  updatedAt: exampleTime,
  secret: 'whsec_YW5vdGhlci1vbmUtc2hvd24tb25seS1vbmNlLWFnYWluLQ==',
} as const;

/** A delivery that succeeded. */
export const exampleWebhookAttempt = {
  attemptId: '01KB3ZC4PA8Z3QF4V6E5T8S9R3',
  at: exampleTime,
  eventId: pathExamples.changeId,
  type: 'access.changed',
  outcome: 'delivered',
  status: 204,
  error: null,
  durationMilliseconds: 84,
  nextAttemptAt: null,
} as const;
