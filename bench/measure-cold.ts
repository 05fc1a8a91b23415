import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serviceOperations } from '#shared/contract/operations.ts';
import { bundleFunction } from '../lib/bundle-function.ts';
import { atMost, type Budget } from './budget.ts';
import { type ColdStart, type Starter, startAlternating } from './cold-start.ts';
import { buildVariant, steps, type Variant, withouts } from './cold-variants.ts';
import { markdownTable } from './markdown.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import type { BarPlot } from './plot.ts';
import { median, pairedRatios, type Quartiles, quartiles } from './statistics.ts';
import { startTlsEndpoint } from './tls-endpoint.ts';

const rounds = 21;
const empty = 'empty handler';
const raw = 'one raw HTTPS POST';
const endpoints = Object.keys(serviceOperations);

type Aspect = keyof ColdStart;

/** Samples by what was started, each by round. */
type Samples = Readonly<Record<string, readonly ColdStart[]>>;

/** Fresh processes up to their first answer: each endpoint, an empty handler and one raw HTTPS POST, and what each step of the build gains. */
export async function measureCold({ directory, progress }: BenchContext): Promise<Measurement> {
  const endpoint = await startTlsEndpoint(directory);
  try {
    const start = (starters: readonly Starter[], pinned: boolean): Samples => {
      progress(`Starting ${starters.length} of them ${rounds} times each on ${where(pinned)}`);
      const samples = startAlternating(starters, { url: endpoint.url, rounds, pinned });
      return Object.fromEntries(starters.map(({ label }, index) => [label, samples[index] ?? []]));
    };
    const floor = floorStarters(directory);
    const functions = endpoints.map((name) => ({ label: name, file: bundleOf(name, directory), request: name }));
    const twoCores = start([...floor, ...functions], false);
    const oneCore = start([...floor, ...functions], true);
    progress('Building the variants');
    const variants = await buildVariants([...steps, ...withouts], directory);
    const byVariant = start([...floor, ...variants], true);
    return {
      title: 'Cold start',
      budgets: [...budgetsOf(twoCores, false), ...budgetsOf(oneCore, true)],
      samples: { twoCores, oneCore, variants: byVariant },
      report: [
        introduction,
        functionsTable('Two cores', twoCores),
        functionsTable('One core', oneCore),
        answerPlot(oneCore),
        stepsIntroduction,
        variantsTable(steps, byVariant),
        stepsPlot(byVariant),
        withoutsIntroduction,
        variantsTable([deployed, ...withouts], byVariant),
        remainder(byVariant),
        cacheSizes(directory),
      ],
    };
  } finally {
    endpoint.close();
  }
}

const deployed = steps.at(-1) as Variant;

function floorStarters(directory: string): Starter[] {
  const file = join(directory, 'empty.cjs');
  writeFileSync(file, 'exports.handler = async () => ({ statusCode: 200 });\n');
  return [
    { label: empty, file },
    { label: raw, file: join(import.meta.dirname, 'raw-post.cjs') },
  ];
}

function bundleOf(name: string, directory: string): string {
  return join(bundleFunction(name, directory).directory, 'index.js');
}

async function buildVariants(variants: readonly Variant[], directory: string): Promise<Starter[]> {
  const built: Starter[] = [];
  for (const variant of variants) built.push(await buildVariant(variant, directory));
  return built;
}

const read = 'get-access';

function budgetsOf(samples: Samples, pinned: boolean): Budget[] {
  const slowest = (aspect: Aspect, floor: string) =>
    Math.max(...endpoints.map((name) => ratio(samples, name, aspect, floor)));
  const on = where(pinned);
  return [
    atMost(`load of the slowest endpoint / empty handler, ${on}`, slowest('loadMs', empty), 1.9, '×'),
    atMost(`first answer of ${read} / empty handler, ${on}`, ratio(samples, read, 'answerMs', empty), 3, '×'),
    atMost(`first answer of ${read} / one raw HTTPS POST, ${on}`, ratio(samples, read, 'answerMs', raw), 1.4, '×'),
    atMost(`first answer of the slowest endpoint / empty handler, ${on}`, slowest('answerMs', empty), 3, '×'),
    atMost(`first answer of the slowest endpoint / one raw HTTPS POST, ${on}`, slowest('answerMs', raw), 1.4, '×'),
    atMost(`peak memory of the largest endpoint / empty handler, ${on}`, slowest('peakMegabytes', empty), 1.35, '×'),
  ];
}

function where(pinned: boolean): string {
  return pinned ? 'one core' : 'two cores';
}

function ratio(samples: Samples, label: string, aspect: Aspect, floor: string): number {
  return median(pairedRatios(valuesOf(samples, label, aspect), valuesOf(samples, floor, aspect)));
}

function valuesOf(samples: Samples, label: string, aspect: Aspect): number[] {
  return (samples[label] ?? []).map((sample) => sample[aspect]);
}

const introduction = `A fresh process loads the deployed bundle as Lambda's runtime does and answers one signed request, with Middy, log,
metrics and validation. It makes three requests over two TLS connections on loopback: the root from KMS, the read of the
table, and the note of the key's first use of the day; a write makes one more. Beside it, in alternating order, a process
with an empty handler and one that makes a single bare HTTPS POST. Times are from the start of the process; in brackets
the middle half of ${rounds} rounds. The peak of memory is the process's own (\`VmHWM\`).`;

function functionsTable(title: string, samples: Samples): string {
  const head = [title, 'load, ms', '/ empty', 'first answer, ms', '/ empty', '/ raw', 'CPU, ms', 'peak MB', '/ empty'];
  const rows = [empty, raw, ...endpoints].map((label) => [
    label,
    spread(valuesOf(samples, label, 'loadMs')),
    ratio(samples, label, 'loadMs', empty).toFixed(2),
    spread(valuesOf(samples, label, 'answerMs')),
    ratio(samples, label, 'answerMs', empty).toFixed(2),
    ratio(samples, label, 'answerMs', raw).toFixed(2),
    spread(valuesOf(samples, label, 'cpuMs')),
    median(valuesOf(samples, label, 'peakMegabytes')).toFixed(1),
    ratio(samples, label, 'peakMegabytes', empty).toFixed(2),
  ]);
  return markdownTable(head, rows);
}

function spread(values: readonly number[]): string {
  const { lower, median: middle, upper } = quartiles(values);
  return `${middle.toFixed(1)} (${lower.toFixed(1)}–${upper.toFixed(1)})`;
}

function answerPlot(samples: Samples): BarPlot {
  const labels = [empty, raw, ...endpoints];
  return {
    kind: 'bars',
    file: 'performance-first-answer.svg',
    title: 'From the start of a process to its first answer, one core',
    unit: 'ms',
    bars: labels.map((label) => ({ label, ...quartiles(valuesOf(samples, label, 'answerMs')) })),
    limit: 1.4 * median(valuesOf(samples, raw, 'answerMs')),
  };
}

const stepsIntroduction = `What each step of the build gains, for \`get-access\` on one core:`;

const withoutsIntroduction = `The same, made otherwise or without one of its parts, which shows what the part costs; what is less than the spread costs
nothing that could be measured:`;

/** What is left after all steps, and why. */
function remainder(samples: Samples): string {
  const cpu = (label: string) => median(valuesOf(samples, label, 'cpuMs'));
  const part = (label: string) => Math.max(0, cpu(deployed.label) - cpu(label));
  const parts = ['without the logger', 'without metrics', 'without validation', 'without Middy'].map(part);
  const peak = (label: string) => median(valuesOf(samples, label, 'peakMegabytes'));
  const own = parts.reduce((sum, each) => sum + each, 0);
  return `Of the ${cpu(deployed.label).toFixed(0)} ms of CPU up to the first answer, a process with one bare POST takes ${cpu(raw).toFixed(0)}. Asking KMS takes
${part('without asking KMS').toFixed(1)}, nearly all of it the second TLS connection, since without KMS's client it is ${part("without KMS's client").toFixed(1)}; log, metrics, validation and
Middy together ${own.toFixed(1)}. The rest is the SDK's code running for the first time, spread over some two hundred modules: sampled in
machine code (\`perf\`), no function of V8 or of the SDK takes a millisecond more than in the bare process. What was not done
for it: a client of our own ([decision 15](decisions/0015-trimmed-sdk.md)), and creating clients in the first request instead of at load, which
makes the load shorter and the answer no earlier. Of the memory, the bare POST takes ${(peak(raw) - peak(empty)).toFixed(1)} MB above an empty
handler, for TLS and its certificates; the function ${(peak(deployed.label) - peak(raw)).toFixed(1)} MB more.`;
}

function variantsTable(variants: readonly Variant[], samples: Samples): string {
  const head = ['get-access', 'load / empty', 'first answer / empty', '/ raw', 'CPU, ms', 'CPU / raw', 'peak MB'];
  const rows = variants.map(({ label }) => [
    label,
    ratioSpread(samples, label, 'loadMs', empty),
    ratioSpread(samples, label, 'answerMs', empty),
    ratio(samples, label, 'answerMs', raw).toFixed(2),
    spread(valuesOf(samples, label, 'cpuMs')),
    ratio(samples, label, 'cpuMs', raw).toFixed(2),
    median(valuesOf(samples, label, 'peakMegabytes')).toFixed(1),
  ]);
  return markdownTable(head, rows);
}

function ratioSpread(samples: Samples, label: string, aspect: Aspect, floor: string): string {
  const { lower, median: middle, upper } = ratioQuartiles(samples, label, aspect, floor);
  return `${middle.toFixed(2)} (${lower.toFixed(2)}–${upper.toFixed(2)})`;
}

function ratioQuartiles(samples: Samples, label: string, aspect: Aspect, floor: string): Quartiles {
  return quartiles(pairedRatios(valuesOf(samples, label, aspect), valuesOf(samples, floor, aspect)));
}

function stepsPlot(samples: Samples): BarPlot {
  return {
    kind: 'bars',
    file: 'performance-steps.svg',
    title: 'First answer of get-access after each step, as a multiple of an empty handler',
    unit: '×',
    bars: steps.map(({ label }) => ({ label, ...ratioQuartiles(samples, label, 'answerMs', empty) })),
    limit: 3,
  };
}

function cacheSizes(directory: string): string {
  const kilobytes = endpoints.map((name) => {
    return statSync(join(dirname(bundleOf(name, directory)), 'function.cache')).size / 1000;
  });
  return `The code cache takes ${Math.min(...kilobytes).toFixed(0)} to ${Math.max(...kilobytes).toFixed(0)} KB beside each bundle. It is
made where the build runs on the functions' processor; see [decision 16](decisions/0016-code-cache.md).`;
}
