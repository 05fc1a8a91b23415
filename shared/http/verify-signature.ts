import type { MiddlewareObj } from '@middy/core';
import type { ServiceRoute } from '#shared/contract/routes.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { parseKeyId } from '#shared/keys/key-id.ts';
import { macKey, rememberMacKey } from '#shared/keys/root-keys.ts';
import { SignatureError } from '#shared/signature/error.ts';
import { readSignature, verifySignature as verify } from '#shared/signature/verify.ts';
import type { ServiceEvent, SignedRequest } from './service-event.ts';
import { readSignedMessage } from './signed-message.ts';

/** Lets a request through only with a valid RFC 9421 signature; reads no table, so a forged request costs no request to it. */
export function verifySignature(route: ServiceRoute): MiddlewareObj<ServiceEvent> {
  return {
    before: async ({ event }) => {
      try {
        event.signed = await verifiedRequest(event, route);
      } catch (error) {
        throw error instanceof SignatureError ? refusal(error) : error;
      }
    },
  };
}

async function verifiedRequest(event: ServiceEvent, route: ServiceRoute): Promise<SignedRequest> {
  const { message, userIdInPath } = readSignedMessage(event, route);
  const signature = readSignature(message);
  const key = parseKeyId(signature.keyId);
  const secret = key && (await macKey(key));
  verify(message, signature, secret, now().getTime() / 1000);
  // An unknown key never verifies, so both are there; asked again because it is what everything after rests on.
  if (key === undefined || secret === undefined) throw new Error('An unknown key was verified');
  rememberMacKey(key.keyId, secret);
  const { keyId, appId } = key;
  const { requestId, http } = event.requestContext;
  return {
    userIdInPath,
    appId,
    context: {
      caller: { kind: 'api-key', appId, keyId },
      requestId,
      sourceIp: http.sourceIp,
      nonce: { keyId, value: signature.nonce, created: signature.created },
    },
  };
}

function refusal({ code, detail, members }: SignatureError): ServiceError {
  return new ServiceError(code, { detail, members });
}
