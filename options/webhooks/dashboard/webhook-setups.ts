import type { Setup } from '#dashboard/forms/setup-field.tsx';
import type { WebhookEvent } from '../contract/webhook.ts';
import type { WebhookFormat } from '../contract/webhook-formats.ts';

/** Something that can receive changes, with what is entered for it at first. */
export interface WebhookSetup extends Setup {
  readonly webhookId: string;
  readonly format: WebhookFormat;
  /** `null` for all. */
  readonly events: readonly WebhookEvent[] | null;
}

/** What ends a user's session, which most receivers are for. */
export const usualEvents: readonly WebhookEvent[] = [
  'user.deleted',
  'user.status.changed',
  'access.changed',
  'role.revoked',
];

/** What can receive changes, the most usual first. */
export const webhookSetups: readonly WebhookSetup[] = [
  {
    id: 'sessions',
    label: 'A backend that ends sessions',
    description: 'Hears within seconds of users who are blocked, deactivated or deleted, or lose a role.',
    webhookId: 'sessions',
    format: 'standard',
    events: usualEvents,
  },
  {
    id: 'changes',
    label: 'A backend that follows all changes',
    description: 'Keeps a copy or a log, or tells a team.',
    webhookId: 'changes',
    format: 'standard',
    events: null,
  },
  {
    id: 'signals',
    label: 'Software that accepts Security Event Tokens',
    description: 'Ends sessions and accounts by JWTs (RFC 8417), which it verifies with published keys.',
    webhookId: 'signals',
    format: 'set',
    events: null,
  },
];

/** An ID for a new webhook that no other of its application has, such as `sessions-2`. */
export function freeWebhookId({ webhookId }: WebhookSetup, taken: readonly string[]): string {
  let [id, number] = [webhookId, 1];
  while (taken.includes(id)) {
    number += 1;
    id = `${webhookId}-${number}`;
  }
  return id;
}
