import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { closeServer, listenOn } from '../../local/listen.ts';

export interface PutEntry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

export interface PutAnswer {
  readonly FailedEntryCount: number;
  readonly Entries: readonly { readonly EventId?: string; readonly ErrorCode?: string }[];
}

/** Replaces the normal handling of a call; returning undefined closes the connection. */
export type BusFault = (
  entries: readonly PutEntry[],
  put: (entries: readonly PutEntry[]) => Promise<PutAnswer>,
) => Promise<PutAnswer | undefined>;

/** A proxy between a publisher and its bus that records what is sent and injects faults. */
export interface FaultyBus {
  readonly url: string;
  readonly calls: (readonly PutEntry[])[];
  fault: BusFault | undefined;
  close(): Promise<void>;
}

export async function serveFaultyBus(busUrl: string): Promise<FaultyBus> {
  const put = async (Entries: readonly PutEntry[]) => {
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' };
    const answer = await fetch(busUrl, { method: 'POST', headers, body: JSON.stringify({ Entries }) });
    return (await answer.json()) as PutAnswer;
  };
  const server = createServer(async (request, response) => {
    const { Entries } = (await json(request)) as { Entries: PutEntry[] };
    faulty.calls.push(Entries);
    const answer = await (faulty.fault ?? ((entries, pass) => pass(entries)))(Entries, put);
    if (answer === undefined) response.destroy();
    else response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
  });
  const faulty: FaultyBus = {
    url: `http://127.0.0.1:${await listenOn(server, 0)}`,
    calls: [],
    fault: undefined,
    close: () => closeServer(server),
  };
  return faulty;
}
