import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { closeServer, listenOn } from './listen.ts';

/** A running key service. */
export interface LocalKeyService {
  /** For `AWS_ENDPOINT_URL_KMS`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers GenerateMac, of any key and message, with the root: 32 bytes in base64; and Sign and GetPublicKey as an RSA key that is
 * created when it is first needed.
 */
export async function serveKeyService({ root }: { readonly root: string }): Promise<LocalKeyService> {
  let known: RsaKeys | undefined;
  const keys = () => {
    known ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    return known;
  };
  const server = createServer((request, response) => {
    answer(request, response, { root, keys }).catch(() => reply(response, 500, { __type: 'KMSInternalException' }));
  });
  return { url: `http://127.0.0.1:${await listenOn(server, 0)}`, close: () => closeServer(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { root: Mac, keys }: { readonly root: string; readonly keys: () => RsaKeys },
): Promise<void> {
  const { KeyId, MacAlgorithm, SigningAlgorithm, Message = '' } = Object(await json(request));
  const target = request.headers['x-amz-target'];
  if (target === 'TrentService.GenerateMac') return reply(response, 200, { KeyId, Mac, MacAlgorithm });
  if (target === 'TrentService.GetPublicKey') {
    const PublicKey = keys().publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    return reply(response, 200, { KeyId, PublicKey, KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' });
  }
  if (target === 'TrentService.Sign' && SigningAlgorithm === 'RSASSA_PKCS1_V1_5_SHA_256') {
    const Signature = sign('sha256', Buffer.from(Message, 'base64'), keys().privateKey).toString('base64');
    return reply(response, 200, { KeyId, Signature, SigningAlgorithm });
  }
  const message = 'Only GenerateMac, and Sign and GetPublicKey of an RSA key, are supported.';
  reply(response, 400, { __type: 'ValidationException', message });
}

interface RsaKeys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function reply(response: ServerResponse, statusCode: number, body: object): void {
  response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
