import { publicSigningKeys } from '#shared/keys/signing-keys.ts';
import type { HttpHandler } from '../http-event.ts';
import { requireAllowedAddress } from '../middleware/allowed-address.ts';
import { endpoint } from '../middleware/endpoint.ts';
import { answerHeaders } from '../problem-response.ts';

/** How long anyone may keep the keys; a new root is used only after the deployment that published it. */
const keepSeconds = 3600;

/**
 * Answers requests without a signature: the public keys with which everyone verifies changes, as a JWK Set (RFC 7517). Reads
 * no table.
 */
export const answerChangeKeys: HttpHandler = endpoint({
  identify: () => ({ route: 'change-keys', caller: undefined }),
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
    body: JSON.stringify({ keys: await publicSigningKeys() }),
  }),
});
