import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import type { HttpAnswer } from './http-result.ts';
import { closeServer, listenOn } from './listen.ts';
import { localAccess } from './local-credentials.ts';

/** The path at which the HTTP API shows the latest events. */
export const eventsPath = '/_local/events';

const maxEvents = 1000;

/** An event as EventBridge delivers it to its targets (EventBridge user guide, "Event structure"). */
export interface LocalEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

/** A running event bus. */
export interface LocalEventBus {
  /** For `AWS_ENDPOINT_URL_EVENTBRIDGE`. */
  readonly url: string;
  /** The latest events, oldest first. */
  readonly events: readonly LocalEvent[];
  close(): Promise<void>;
}

export interface EventBusOptions {
  /** Called with each event. */
  readonly onEvent?: ((event: LocalEvent) => void) | undefined;
}

/** Accepts PutEvents as EventBridge does, and keeps the latest 1,000 events in memory. */
export async function serveEventBus({ onEvent }: EventBusOptions = {}): Promise<LocalEventBus> {
  const events: LocalEvent[] = [];
  const keep = (event: LocalEvent) => {
    events.push(event);
    if (events.length > maxEvents) events.shift();
    onEvent?.(event);
  };
  const server = createServer((request, response) => {
    answer(request, response, keep).catch(() => reply(response, 500, { __type: 'InternalException' }));
  });
  return {
    url: `http://127.0.0.1:${await listenOn(server, 0)}`,
    events,
    close: () => closeServer(server),
  };
}

/** Returns the response to `GET /_local/events`. */
export function showEvents({ events }: Pick<LocalEventBus, 'events'>): HttpAnswer {
  return {
    statusCode: 200,
    headers: [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
    ],
    body: Buffer.from(JSON.stringify({ items: events })),
  };
}

/** Formats an event as one line for the terminal, without the reason, which is never logged. */
export function describeEvent(event: LocalEvent): string {
  const { appId, userId, role } = Object(event.detail) as Record<string, string | undefined>;
  const about = [appId, userId, role].filter((part) => part !== undefined).join(' ');
  return `event ${event['detail-type']} ${about}`;
}

const callSchema = v.object({
  Entries: v.pipe(
    v.array(
      v.object({
        Source: v.string(),
        DetailType: v.string(),
        Detail: v.pipe(v.string(), v.parseJson()),
        Resources: v.optional(v.array(v.string()), []),
        /** Seconds since 1970. */
        Time: v.optional(v.number()),
      }),
    ),
    v.minLength(1),
    v.maxLength(10),
  ),
});

/** Answers PutEvents in the protocol of EventBridge's SDK clients, JSON 1.1. */
async function answer(request: IncomingMessage, response: ServerResponse, keep: (event: LocalEvent) => void) {
  const call = v.safeParse(callSchema, await json(request).catch(() => undefined));
  if (request.headers['x-amz-target'] !== 'AWSEvents.PutEvents' || !call.success) {
    return reply(response, 400, {
      __type: 'ValidationException',
      message: 'Only PutEvents with 1 to 10 events is supported.',
    });
  }
  const Entries = call.output.Entries.map((entry) => {
    const event: LocalEvent = {
      version: '0',
      id: randomUUID(),
      'detail-type': entry.DetailType,
      source: entry.Source,
      account: '000000000000',
      time: new Date((entry.Time ?? Date.now() / 1000) * 1000).toISOString().replace(/\.\d+/, ''),
      region: localAccess.region,
      resources: entry.Resources,
      detail: entry.Detail,
    };
    keep(event);
    return { EventId: event.id };
  });
  reply(response, 200, { FailedEntryCount: 0, Entries });
}

function reply(response: ServerResponse, statusCode: number, body: object): void {
  response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
