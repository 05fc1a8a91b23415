import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A delivery as a receiver got it. */
export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  /** Of a delivery in the format of Standard Webhooks. */
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: { readonly id: string; readonly userId?: string };
  };
}

/** Says how to answer a delivery. Default: 204. */
export type Answering = (
  delivery: Received,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>;

export interface WebhookReceiver {
  readonly url: string;
  readonly received: Received[];
  /** `undefined` if the response was written by the function itself. */
  answer: Answering;
  close(): Promise<void>;
}

/** Starts a receiver on this machine, which keeps what it gets. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const receiver = { received, answer: (() => 204) as Answering };
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const delivery = { headers: request.headers, raw, body: raw.startsWith('{') ? JSON.parse(raw) : undefined };
    received.push(delivery);
    const status = await receiver.answer(delivery, response);
    if (status !== undefined) response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(receiver, { url, close });
}

/** Verifies a delivery as receivers do, with the reference library; throws if it is not valid. */
export function verifyDelivery(secret: string, { raw, headers }: Received): unknown {
  return new Webhook(secret).verify(raw, headers as Record<string, string>);
}
