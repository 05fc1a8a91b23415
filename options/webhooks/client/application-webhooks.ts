import { InvalidRequestError } from '#client/client-error.ts';
import type { AuthServiceClient, CallOptions, WriteOptions } from '#client/client-interface.ts';
import { internalsOf } from '#client/client-internals.ts';
import type { Call } from '#client/create-send.ts';
import type { Members } from '#client/read-answer.ts';
import {
  appIdPattern,
  type IssuedWebhook,
  type SetWebhook,
  type Webhook,
  type WebhookSetting,
} from '#client/service-contract.ts';

export type { IssuedWebhook, SetWebhook, Webhook, WebhookEvent, WebhookSetting } from '#client/service-contract.ts';

/** The webhooks of the client's application. The key needs the scope `webhooks:write`, and the deployment has webhooks. */
export interface ApplicationWebhooks {
  /** All webhooks, at most five, by id. `state` and `lastError` say whether deliveries succeed. */
  list(options?: CallOptions): Promise<readonly Webhook[]>;
  /**
   * Creates a webhook or sets all of it, so an application can call this whenever it starts. `secret` is `null` unless this
   * call has created the webhook: store it, it is never shown again.
   */
  set(webhookId: string, setting: WebhookSetting, options?: WriteOptions): Promise<SetWebhook>;
  /** Deletes a webhook. A NotFoundError says that there is none with this id. */
  delete(webhookId: string, options?: CallOptions): Promise<void>;
  /**
   * Replaces the secret. Until the end of the overlap, such as `PT24H`, each delivery has two signatures, so that receivers
   * can take the new one without a gap.
   */
  rotateSecret(webhookId: string, overlap: string, options?: CallOptions): Promise<IssuedWebhook>;
}

/**
 * Manages the webhooks of the client's application. Throws a TypeError for anything but a client.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { applicationWebhooks } from '@auth-service/client/application-webhooks';
 *
 * declare const client: AuthServiceClient;
 * declare const store: { save(secret: string): Promise<void> };
 *
 * const url = 'https://billing.example.com/hooks/access';
 * const { secret } = await applicationWebhooks(client).set('backend', { url, events: ['access.changed'] });
 * if (secret !== null) await store.save(secret);
 * ```
 */
export function applicationWebhooks(client: AuthServiceClient): ApplicationWebhooks {
  const service = internalsOf(client) ?? refuse();

  async function ask<Answer>(webhookId: string, call: Omit<Call, 'isExpected'> & Partial<Call>): Promise<Answer> {
    if (typeof webhookId !== 'string' || !appIdPattern.test(webhookId)) {
      throw new InvalidRequestError({
        code: 'invalid_request',
        detail: `path:webhookId must match ${appIdPattern}`,
      });
    }
    const isExpected = (answer: Members) => answer.webhookId === webhookId;
    const target = call.path.replace('{webhookId}', webhookId);
    return (await service.send({ isExpected, ...call, target })) as Answer;
  }

  const path = 'webhooks/{webhookId}';
  return {
    async list({ signal } = {}) {
      const isExpected = ({ items }: Members) => Array.isArray(items);
      const { items } = await service.send({ method: 'GET', path: 'webhooks', signal, isExpected });
      return items;
    },
    set: (webhookId, setting, { signal, ifVersion } = {}) =>
      ask(webhookId, { method: 'PUT', path, body: setting, signal, ifVersion }),
    async delete(webhookId, { signal } = {}) {
      await ask(webhookId, { method: 'DELETE', path, signal, isExpected: ({ complete }) => complete === true });
    },
    rotateSecret: (webhookId, overlap, { signal } = {}) =>
      ask(webhookId, { method: 'POST', path: `${path}/rotate`, body: { overlap }, signal }),
  };
}

function refuse(): never {
  throw new TypeError('client of applicationWebhooks must be an AuthServiceClient');
}
