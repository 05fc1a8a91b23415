import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from '../../local/listen.ts';

/** A response of AWS. */
export interface StoreAnswer {
  readonly status: number;
  readonly body: string;
}

/** The bucket of the signed heads, and the KMS key that signs them: it answers in DER, as KMS does. */
export class HeadsStore {
  /** The objects by their names, with the bucket's before them. */
  readonly objects = new Map<string, string>();
  /** The statuses with which the next objects are refused, after they are stored. */
  readonly failures: number[] = [];
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** In base64, as `aws kms get-public-key` prints it. */
  get publicKey(): string {
    return this.#keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  }

  sign(json: string): StoreAnswer {
    const { KeyId, Message } = JSON.parse(json);
    const Signature = sign('sha256', Buffer.from(Message, 'base64'), this.#keys.privateKey).toString('base64');
    return { status: 200, body: JSON.stringify({ KeyId, Signature, SigningAlgorithm: 'ECDSA_SHA_256' }) };
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
  put(path: string, headers: IncomingHttpHeaders, body: string): StoreAnswer {
    const name = path.slice(1);
    const checksum = createHash('sha256').update(body).digest('base64');
    const isConditional = headers['if-none-match'] === '*' && headers.authorization?.includes(';if-none-match;');
    if (!isConditional) return { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' };
    if (headers['x-amz-checksum-sha256'] !== checksum) {
      return { status: 400, body: '<Error><Code>InvalidRequest</Code></Error>' };
    }
    if (this.objects.has(name)) return { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' };
    this.objects.set(name, body);
    return { status: this.failures.shift() ?? 200, body: '' };
  }
}

/** Serves the store, and collects what is sent to functions. The SDK and `callAws` use it in this process. */
export async function serveHeadsStore() {
  const store = new HeadsStore();
  const sent: { readonly type: string | undefined; readonly payload: never }[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', headers, method } = request;
    const body = await text(request);
    const answer = (): StoreAnswer => {
      if (headers['x-amz-target'] === 'TrentService.Sign') return store.sign(body);
      if (method === 'PUT') return store.put(url, headers, body);
      sent.push({ type: String(headers['x-amz-invocation-type']), payload: JSON.parse(body) as never });
      return { status: 202, body: '' };
    };
    const { status, body: answered } = answer();
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(answered);
  });
  const url = `http://127.0.0.1:${await listenOn(server, 0)}`;
  process.env.AWS_ENDPOINT_URL = url;
  process.env.AWS_ENDPOINT_URL_KMS = url;
  process.env.HEADS_BUCKET = 'authservice-backupvault-heads';
  process.env.HEADS_KEY_ARN = 'arn:aws:kms:local:000000000000:key/heads';
  return { store, sent, stop: () => closeServer(server) };
}
