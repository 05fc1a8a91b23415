import { expect } from '@jest/globals';
import { versioned } from '#test/support/view-shapes.ts';

/** A webhook as the API shows it, without its `secret`, which only creating and rotating return. */
export function aWebhook(members: object): object {
  const settings = { url: 'https://hooks.example.com/access', format: 'standard', enabled: true, events: null };
  const state = { state: 'on', offReason: null, secrets: [{ secretId: aSecretId, expiresAt: null }] };
  const progress = { failingSince: null, lastError: null, lastDeliveredAt: null, nextAttemptAt: null };
  const delivery = { ...progress, oldestUndelivered: null };
  return { webhookId: expect.any(String), ...settings, ...state, ...delivery, ...versioned, ...members };
}

export const aSecretId = expect.stringMatching(/^w1_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
export const aWebhookSecret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
