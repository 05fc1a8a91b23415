import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alignTables } from '#shared/openapi/align-tables.ts';
import {
  budgetTexts,
  type Measured,
  type Measurement,
  markdownTable,
  missesBudget,
  type Results,
} from './measurement.ts';

const project = join(import.meta.dirname, '..');
const resultsFile = join(import.meta.dirname, 'results.json');

/** Below each chapter of the page, its sections: the title of each measurement by its name, in their order. */
const chapters = [
  {
    title: 'Latency',
    introduction: `The time that the function adds to DynamoDB's few milliseconds and to the network. Where no request may wait for a new process, [\`provisionedConcurrency\`](../operate/capacity.md#no-cold-starts) keeps some ready.`,
    sections: { warm: 'A warm request', cold: 'A cold start', bundles: 'Size of the functions' },
  },
  {
    title: 'Cost',
    introduction: '[Costs](../operate/costs.md) has the price of each part of a request, of a setting, and of a month.',
    sections: { cost: 'Requests and units' },
  },
  {
    title: 'Scale',
    introduction: `[Scale](../operate/scale.md) has the limit of each part of the service, and what to do about it. What [webhooks](../integrate/webhooks.md#retries) cost each other and everybody else is counted by tests (\`webhook-deliverer.test.ts\`, \`wake-deliveries.test.ts\`). After an outage of an hour, everything is delivered with the next minute's attempt, or with a new block, which comes first. An event that is never taken holds up no other user. A thousand users whose events fail cost a change of another one no more than a query. A thousand webhooks cost the numbers of changes one invocation.`,
    sections: {
      growth: 'A larger table',
      backlog: 'Behind',
      load: 'Load',
      'first-visit': 'A first visit to the dashboard',
    },
  },
] as const;

/** The names of the measurements in the order of the page. */
export const measuredNames: readonly string[] = chapters.flatMap(({ sections }) => Object.keys(sections));

/** The last result of each measurement, from `bench/results.json`. */
export function readResults(): Results {
  return JSON.parse(readFileSync(resultsFile, 'utf8'));
}

/** Stores a result beside those of the other measurements, and its samples in `.local/bench`, which is not checked in. */
export function keepResult(name: string, { samples, ...result }: Measurement & Measured): void {
  const folder = join(project, '.local/bench');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(samples, null, 1)}\n`);
  writeFileSync(resultsFile, `${JSON.stringify(withResult(readResults(), name, result), null, 1)}\n`);
}

/** The results with another one, in the order of the page. */
export function withResult(results: Results, name: string, result: Measured): Results {
  const all: Results = { ...results, [name]: result };
  return Object.fromEntries(measuredNames.flatMap((each) => (all[each] ? [[each, all[each]]] : [])));
}

/** Writes `docs/contribute/performance.md`. */
export function writePage(results: Results): void {
  writeFileSync(join(project, 'docs/contribute/performance.md'), pageText(results));
}

/** The whole page as Markdown, without measurements that were never made. */
export function pageText(results: Results): string {
  const body = chapters.flatMap(({ title, introduction, sections }) => [
    `## ${title}`,
    introduction,
    ...Object.entries(sections).flatMap(([name, section]) => [`### ${section}`, ...sectionText(results[name])]),
  ]);
  return alignTables([opening, summary(results), ...body].join('\n\n').concat('\n'));
}

const opening = `# Performance

The numbers to judge the service by: latency, cost and scale. \`npm run bench\` measures on one machine, writes this page, and keeps
its results in \`bench/results.json\`; \`npm run bench -- --only <names>\` repeats some measurements and keeps the others. Nothing here was measured on AWS: the functions are the files that a deployment uploads, the same for every processor, run on this machine.
Milliseconds are this machine's; ratios compare samples of the same moment and carry over. Figures are medians, with the middle half
in brackets.`;

function sectionText(measured: Measured | undefined): string[] {
  if (measured === undefined) return [];
  const { at, machine, budgets, report } = measured;
  const { cpu, cores, node, load } = machine;
  const met = budgets.some(missesBudget) ? '' : ', all met';
  const items = budgetTexts(budgets).map((text) => `- ${text}`);
  return [
    // The lines of a paragraph are joined; a table is left as it is.
    ...report.map((text) => (text.startsWith('|') ? text : text.replaceAll('\n', ' '))),
    `**Budgets${met}.** _${at.slice(0, 10)}, ${cores} × ${cpu}, Node ${node}, load ${load.toFixed(1)} before._`,
    items.join('\n'),
  ];
}

function summary(results: Results): string {
  const milliseconds = (name: string, digits: number) => (results[name]?.milliseconds ?? Number.NaN).toFixed(digits);
  const rows = [
    ['a decision of a warm function', `${milliseconds('warm', 2)} ms, without HTTP, with a local DynamoDB`],
    ['the same in a new process', `${milliseconds('cold', 0)} ms`],
  ];
  return markdownTable(['', ''], rows);
}
