import { publicEventKey } from '#shared/keys/event-key.ts';
import { publicSigningKeys } from '#shared/keys/signing-keys.ts';
import type { HttpHandler } from '../http-event.ts';
import { requireAllowedAddress } from '../middleware/allowed-address.ts';
import { endpoint } from '../middleware/endpoint.ts';
import { answerHeaders } from '../problem-response.ts';

/** How long anyone may keep the keys; a new root is used only after the deployment that published it. */
const keepSeconds = 3600;

/** The public keys with which everyone verifies changes. */
export const answerChangeKeys: HttpHandler = keySetEndpoint('change-keys', publicSigningKeys);

/** The public key with which everyone verifies Security Event Tokens. */
export const answerEventKeys: HttpHandler = keySetEndpoint('event-keys', async () => [await publicEventKey()]);

/** Answers requests without a signature with a JWK Set (RFC 7517). Reads no table. */
function keySetEndpoint(route: string, readKeys: () => Promise<readonly object[]>): HttpHandler {
  return endpoint({
    identify: () => ({ route, caller: undefined }),
    isBrief: true,
    api: 'service',
    middlewares: [requireAllowedAddress()],
    handle: async () => ({
      statusCode: 200,
      headers: {
        ...answerHeaders,
        'content-type': 'application/jwk-set+json',
        'cache-control': `public, max-age=${keepSeconds}`,
      },
      body: JSON.stringify({ keys: await readKeys() }),
    }),
  });
}
