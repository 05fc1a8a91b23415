import { type ServiceOperationName, serviceOperations } from '#shared/contract/operations.ts';
import { invokeEndpoint, startAwsStandIn } from './aws-stand-in.ts';
import {
  type Aspect,
  type ColdSamples,
  coldRatio,
  coldTable,
  coldValues,
  empty,
  floorsIn,
  raw,
  runtimeFlags,
  type Starter,
  startAlternating,
} from './cold-starts.ts';
import { type FunctionAssets, synthesizeAssets } from './function-assets.ts';
import { atMost, type BenchContext, type Budget, type Measurement } from './measurement.ts';
import { median } from './statistics.ts';

const rounds = 21;
const endpoints = Object.keys(serviceOperations) as ServiceOperationName[];
const read = 'get-access';
/** Its request asks about 100 users and reads 200 items. */
const check = 'check-access';

/** Starts new processes and measures them up to their first response: each endpoint's asset, and what they are compared with. */
export async function measureCold({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Synthesizing the stack');
  const assets = await synthesizeAssets(directory);
  const { url, close } = await startAwsStandIn();
  try {
    progress(`${rounds} cold starts of each on one core`);
    const samples = startAlternating(startersIn(directory, assets), rounds, url);
    return {
      budgets: budgetsOf(samples),
      figures: { answerMilliseconds: median(coldValues(samples, read, 'answerMs')) },
      samples,
      report: [introduction, coldTable(samples)],
    };
  } finally {
    close();
  }
}

function startersIn(directory: string, assets: FunctionAssets): Starter[] {
  const started = endpoints.map((name) => ({
    label: name,
    file: assets.fileOf(name),
    invoke: () => invokeEndpoint(name),
  }));
  return [...floorsIn(directory), ...started];
}

function budgetsOf(samples: ColdSamples): Budget[] {
  const most = (names: readonly string[], aspect: Aspect, floor: string) =>
    Math.max(...names.map((name) => coldRatio(samples, name, aspect, floor)));
  const others = endpoints.filter((name) => name !== check);
  return [
    atMost('load of the slowest endpoint / empty handler', most(endpoints, 'loadMs', empty), 3.8, '×'),
    atMost('first answer of the slowest other endpoint / empty handler', most(others, 'answerMs', empty), 5.8, '×'),
    atMost('first answer of the slowest other endpoint / one raw HTTPS POST', most(others, 'answerMs', raw), 2.4, '×'),
    atMost('CPU to the first answer of the slowest other endpoint / raw', most(others, 'cpuMs', raw), 2.3, '×'),
    atMost('CPU to the first check of 100 users / raw', most([check], 'cpuMs', raw), 2.6, '×'),
    atMost('peak memory of the largest endpoint / empty handler', most(endpoints, 'peakMegabytes', empty), 1.7, '×'),
  ];
}

const introduction = `A new process loads the function's asset as Lambda's runtime does, with the flags that AWS's bootstrap passes to Node for
1024 MB (\`${runtimeFlags.join(' ')}\`), and answers one signed
request: a read makes three requests over two TLS connections on loopback (the root key from KMS, the items, the key's first use of the day), a write one more; \`check-access\` asks about 100 users and reads 200 items, so it has its own limit.
For comparison: an empty handler, and a single HTTPS POST without the SDK. ${rounds} rounds in alternating order on one
core; times count from the start of the process. The asset is the one that this machine deploys for arm64: source without [code cache](../decisions/0016-code-cache.md), and without [four parts of the SDK](../decisions/0015-trimmed-sdk.md). Other load on the machine lengthens the times, but hardly the CPU time. The memory limit was raised from 1.5 × to 1.7 × because the empty process has measured between 41 and 44 MB and a check holds 200 items: 67 of a function's 1,024 MB.`;
