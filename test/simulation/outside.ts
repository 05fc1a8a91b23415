import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { RequestOptions } from 'node:https';
import { Readable } from 'node:stream';
import { currentProcess, here } from './virtual-time.ts';

/** An HTTPS request to anything but the table. */
export interface OutsideRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers requests with a status and a body, at any time or never. Default: without a body. */
export type Outside = (request: OutsideRequest, answer: (status: number, body?: string) => void) => void;

let outside: Outside | undefined;

/** Sets what answers requests from now on. */
export function connectOutside(to: Outside): void {
  outside = to;
}

type OnResponse = (response: Readable) => void;

/** Makes look-ups of names and HTTPS requests of a simulated process reach the simulated outside, below the product's clients. */
export function replaceOutside(): void {
  const https = process.getBuiltinModule('node:https');
  const dns = process.getBuiltinModule('node:dns/promises');
  const real = { request: https.request as (...given: unknown[]) => unknown, lookup: dns.lookup };
  const request = (...given: unknown[]) => {
    if (currentProcess() === undefined) return real.request(...given);
    const onResponse = given.pop() as OnResponse;
    return new OutgoingRequest(given as (URL | RequestOptions)[], onResponse);
  };
  const lookup = async (...given: Parameters<typeof real.lookup>) =>
    currentProcess() === undefined ? real.lookup(...given) : [{ address: '93.184.215.14', family: 4 }];
  Object.assign(https, { request });
  Object.assign(dns, { lookup });
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}

const longestTravelMilliseconds = 100;

class OutgoingRequest extends EventEmitter {
  readonly #request: Omit<OutsideRequest, 'body'>;
  readonly #respond: OnResponse;
  #isOver = false;

  constructor(given: readonly (URL | RequestOptions)[], onResponse: OnResponse) {
    super();
    const url = given.find((one) => one instanceof URL);
    const options = given.find((one) => !(one instanceof URL)) as RequestOptions;
    const host = String(url?.hostname ?? options.hostname ?? options.host);
    const path = String(url?.pathname ?? options.path);
    this.#request = { host, path, headers: options.headers as OutsideRequest['headers'] };
    this.#respond = AsyncResource.bind(onResponse);
    const { signal } = options;
    signal?.addEventListener('abort', () => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.emit('error', signal.reason);
    });
  }

  end(content: Buffer): this {
    const { world, process } = here();
    const travel = () => world.random() * longestTravelMilliseconds;
    const receive = (status: number, body?: string) => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#respond(
        Object.assign(Readable.from(body === undefined ? [] : [body]), { statusCode: status, headers: {} }),
      );
    };
    world.schedule(travel(), () => {
      if (outside === undefined) throw new Error('Nothing outside is connected');
      const request = { ...this.#request, body: content.toString() };
      outside(request, (status, body) => world.schedule(travel(), () => receive(status, body), process));
    });
    return this;
  }
}
