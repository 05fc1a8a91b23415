import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server that knows one name. */
export interface DnsServer {
  /** Host and port, for a client's configuration. */
  readonly address: string;
  /** What it answers from now on; clients may keep an answer for a second. */
  answerWith(address: string): void;
  close(): void;
}

const timeToLiveSeconds = 1;

/** Serves the IPv4 address of a name over UDP (RFC 1035 section 4); any other name does not exist. */
export async function serveDns(name: string, first = '127.0.0.1'): Promise<DnsServer> {
  let address = first;
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => socket.send(answer(query, name, address), client.port, client.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    answerWith: (next) => {
      address = next;
    },
    close: () => socket.close(),
  };
}

function answer(query: Buffer, name: string, address: string): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const isKnown = nameOf(question) === name;
  const isIpv4 = question.readUInt16BE(question.length - 4) === 1;
  const records = isKnown && isIpv4 ? [addressRecord(address)] : [];
  // A response, recursion available: without an error, or "no such name".
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
}

function nameOf(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at]; at += 1 + (question[at] ?? 0)) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join('.').toLowerCase();
}

/** Type A, class IN, for the name of the question, which begins at byte 12. */
function addressRecord(address: string): Buffer {
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, timeToLiveSeconds, 0, 4]);
  return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
}
