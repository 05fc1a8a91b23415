import { createHmac } from 'node:crypto';
import type { OutgoingPost } from './post-safely.ts';

/** An event in the format of Standard Webhooks 1.0.0. */
export interface StandardEvent {
  /** The same for every attempt. */
  readonly id: string;
  readonly type: string;
  /** When the event happened. */
  readonly timestamp: string;
  readonly data: object;
}

/** Signs an event for one attempt, with each of the secrets: during a rotation the receiver may know either. */
export function standardPost(event: StandardEvent, secrets: readonly Buffer[], at: Date): OutgoingPost {
  const { id, ...content } = event;
  const body = JSON.stringify(content);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => `v1,${signStandard(secret, [id, timestamp, body])}`);
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'auth-service-webhooks',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

/** HMAC-SHA256 over id, timestamp and body (Standard Webhooks 1.0.0, "Signature scheme"). */
function signStandard(secret: Buffer, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(parts.join('.')).digest('base64');
}
