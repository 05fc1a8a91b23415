import { join } from 'node:path';
import { awsEnvironment, startAwsStandIn } from './aws-stand-in.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { sampledContent, sampleRequests, usersPerCheck } from './sample-requests.ts';
import { median } from './statistics.ts';
import { compareWarm, processes, requestsPerProcess, warmRatios, warmTable, warmValues } from './warm-processes.ts';
import { writeTable } from './written-table.ts';

const [raw, read, check] = ['raw request', 'GET', `check of ${usersPerCheck}, µs per user`] as const;

/** A warm GET beside one raw HTTPS request with the same body, and beside a check of 100 users. */
export async function measureWarm(context: BenchContext): Promise<Measurement> {
  const table = await writeTable(context, sampledContent);
  const { url, close } = await startAwsStandIn(table.dynamodb);
  try {
    const requests = sampleRequests(table);
    const environment = awsEnvironment(url);
    const kinds = [
      { label: raw, file: join(import.meta.dirname, 'raw-post.cjs'), environment, invoke: requests.read },
      { label: read, file: table.fileOf('get-access'), environment, invoke: requests.read },
      { label: check, file: table.fileOf('check-access'), environment, invoke: requests.check, users: usersPerCheck },
    ];
    const samples = await compareWarm(kinds, context);
    const ratioOf = (label: string, floor: string) => median(warmRatios(samples, label, floor));
    return {
      budgets: [
        atMost('CPU per GET / raw request', ratioOf(read, raw), 5, '×'),
        atMost(`CPU per user of a check of ${usersPerCheck} / GET`, ratioOf(check, read), 0.2, '×'),
      ],
      milliseconds: median(warmValues(samples, read, 'milliseconds')),
      samples,
      report: [introduction, warmTable(samples)],
    };
  } finally {
    close();
    await table.close();
  }
}

const introduction = `The bench measures a GET from event to response, including verification and its log line, which is written to a pipe, and a check of ${usersPerCheck}
users. Beside them stands a bare \`node:https\` request with the body of the GET's read. They run one at a time, as on Lambda, and no HTTP server receives them. All call the same server over keep-alive TLS connections.
${processes} processes of each kind in turn, ${requestsPerProcess} requests each (100 checks) on one core. The brackets show the spread between processes: a single one may be off by 15 %. CPU time is the whole process's, including garbage collection and compilation.`;
