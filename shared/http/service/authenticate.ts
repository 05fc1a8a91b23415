import type { MiddlewareObj } from '@middy/core';
import { type AppId, encodingRefusal, pathNames } from '#shared/contract/fields.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { RequestContent, SignedContext } from '#shared/domain/request/request-context.ts';
import { parseKeyId } from '#shared/keys/key-id.ts';
import { macKey, rememberMacKey } from '#shared/keys/root-keys.ts';
import { headerValue } from '#shared/signature/base.ts';
import { SignatureError } from '#shared/signature/error.ts';
import { type ReadPath, readPath } from '#shared/signature/path.ts';
import { readSignature, type SignedMessage, verifySignature } from '#shared/signature/verify.ts';
import type { HttpEvent } from '../http-event.ts';
import { invalidRequest } from '../input.ts';
import { requireContent } from '../middleware/request-body.ts';

/** An event of the Service API. */
export interface ServiceEvent extends HttpEvent {
  /** Set by `authenticate`, after which the caller is known. */
  signed?: SignedRequest;
}

/** The verified content of a valid signature. */
export interface SignedRequest {
  /** What the path names, not yet validated; empty if it names nothing. */
  readonly pathVariables: ReadPath['variables'];
  readonly appId: AppId;
  readonly context: SignedContext;
}

/** Accepts only requests with a valid RFC 9421 signature; reads no table, so a forged request costs no table request. */
export function authenticate(operation: ServiceOperation): MiddlewareObj<ServiceEvent> {
  return {
    before: async ({ event }) => {
      try {
        event.signed = await verifyRequest(event, operation);
      } catch (error) {
        if (!(error instanceof SignatureError)) throw error;
        // API Gateway has damaged an encoded body: the caller is known by now, and learns the reason.
        if (error.code === 'digest_mismatch') requireContent(encodingRefusal(event.headers));
        throw new ServiceError(error.code, { detail: error.detail, members: error.members });
      }
    },
  };
}

async function verifyRequest(event: ServiceEvent, operation: ServiceOperation): Promise<SignedRequest> {
  const { message, pathVariables } = readSignedMessage(event, operation);
  const signature = readSignature(message);
  const key = parseKeyId(signature.keyId);
  const secret = key && (await macKey(key));
  verifySignature(message, signature, secret, now().getTime() / 1000);
  // Signatures of unknown keys never verify, so both exist; checked again because everything after depends on it.
  if (key === undefined || secret === undefined) throw new Error('A signature of an unknown key was verified');
  rememberMacKey(key.keyId, secret);
  const { keyId, appId } = key;
  const { requestId, http } = event.requestContext;
  return {
    pathVariables,
    appId,
    context: {
      caller: { kind: 'api-key', appId, keyId },
      requiredScope: operation.scope,
      requestId,
      sourceIp: http.sourceIp,
      attempt: operation.writes ? { content: contentOf(message), signature } : undefined,
    },
  };
}

/** The path is the first of its equivalent encodings. */
function contentOf({ method, paths: [path = ''], query, headers, body }: SignedMessage): RequestContent {
  return { method, path, query, ifMatch: headerValue(headers, 'if-match'), body };
}

/** The request as its signer may have seen it, and the one id that all encodings of its path agree on, if any. */
export function readSignedMessage(
  event: ServiceEvent,
  operation: Pick<ServiceOperation, 'path'>,
): { message: SignedMessage; pathVariables: ReadPath['variables'] } {
  const { paths, variables } = readReceivedPath(withoutStage(event), operation);
  const message: SignedMessage = {
    method: event.requestContext.http.method,
    paths,
    authorities: [event.requestContext.domainName.toLowerCase(), ...config().publicAuthorities],
    query: event.rawQueryString,
    headers: event.headers,
    body: event.bodyBytes ?? new Uint8Array(),
  };
  return { message, pathVariables: variables };
}

/**
 * HTTP APIs deliver the path decoded and cut at `%3F`, function URLs as it was sent; a named stage is prefixed
 * (`docs/decisions/0003-path-candidates.md`). The id is read from the same path that the signature is checked against.
 */
function readReceivedPath(received: string, { path }: Pick<ServiceOperation, 'path'>): ReadPath {
  const read = readPath(received, path);
  if (read !== undefined) return read;
  throw invalidRequest([{ pointer: `path:${pathNames({ path })[0]}`, detail: 'cannot be read from the path' }]);
}

function withoutStage({ rawPath, requestContext: { stage } }: ServiceEvent): string {
  return rawPath.startsWith(`/${stage}/`) ? rawPath.slice(stage.length + 1) : rawPath;
}
