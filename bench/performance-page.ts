import { decisionsAtVolume } from './decisions-at-volume.ts';
import { type Budget, type Measured, markdownTable, missesBudget, type Results } from './measurement.ts';
import type { Picture } from './pictures.ts';

/** A part of the page: what one measurement found, or what follows from several. */
type Part =
  | { readonly title: string; readonly measured: string }
  | { readonly title: string; readonly derived: (results: Results) => string | undefined };

interface Chapter {
  readonly title: string;
  readonly introduction: string;
  readonly parts: readonly Part[];
}

const chapters: readonly Chapter[] = [
  {
    title: 'Latency',
    introduction: `What the function adds to DynamoDB's few milliseconds and to the way to AWS. Where no request may wait for a new process, [\`provisionedConcurrency\`](operations.md#no-cold-starts) keeps some ready.`,
    parts: [
      { title: 'A warm request', measured: 'warm' },
      { title: 'A cold start', measured: 'cold' },
      { title: 'Size of the functions', measured: 'bundles' },
    ],
  },
  {
    title: 'Cost',
    introduction:
      'The [cost page](operations.md#costs) has what each part of a request costs, what a setting adds, and a month.',
    parts: [
      { title: 'Decisions at volume', derived: decisionsAtVolume },
      { title: 'Requests and units', measured: 'cost' },
    ],
  },
  {
    title: 'Scale',
    introduction: 'The limit of each part of the service, and what to do about it, is in [scale](scale.md).',
    parts: [
      { title: 'A larger table', measured: 'growth' },
      { title: 'Load and leaks', measured: 'load' },
      { title: 'The local run after 50,000 writes', measured: 'writes' },
      { title: 'The dashboard with 100,000 users', measured: 'pages' },
      { title: 'Limits of DynamoDB, simulated', measured: 'scale' },
      { title: 'A replica', measured: 'replica' },
      { title: 'An outage of the service', measured: 'outage' },
    ],
  },
  {
    title: 'Beside other software',
    introduction:
      'One machine and different promises: what each was asked is in the table, and what it does not do is below it.',
    parts: [{ title: 'A check of one user', measured: 'beside' }],
  },
];

/** The names of the measurements in the order of the page. */
export const measuredNames: readonly string[] = chapters.flatMap(({ parts }) =>
  parts.flatMap((part) => ('measured' in part ? [part.measured] : [])),
);

/** The whole page as Markdown; a part that was never measured says so. */
export function pageText(results: Results): string {
  const body = chapters.flatMap(({ title, introduction, parts }) => [
    `## ${title}`,
    introduction,
    ...parts.flatMap((part) => [`### ${part.title}`, ...partText(part, results)]),
  ]);
  return [opening, ...summary(results), ...body, ...missed(results)].join('\n\n').concat('\n');
}

const opening = `# Performance

What you decide by: how long a decision takes, what it costs, and how far it scales. \`npm run bench\` measures on one machine, writes
this page, and keeps its results in \`bench/results.json\`; \`npm run bench -- --only <names>\` measures some parts anew, and the others
stay. Nothing here was measured on AWS: the functions are those that a deployment uploads, the same file for every processor, on
this machine's. Milliseconds are this machine's; ratios compare samples of the same moment and carry over. Figures are medians, with
the middle half in brackets.`;

function partText(part: Part, results: Results): string[] {
  if ('derived' in part) return [part.derived(results) ?? notMeasured('warm,cost,replica')];
  const measured = results[part.measured];
  return measured === undefined ? [notMeasured(part.measured)] : sectionText(measured);
}

function notMeasured(names: string): string {
  return `Not measured yet: \`npm run bench -- --only ${names}\`.`;
}

function sectionText({ at, machine, budgets, report }: Measured): string[] {
  const { cpu, cores, node, load } = machine;
  const under = load === undefined ? '' : `, load ${load.toFixed(1)} before`;
  return [
    ...report.map((part) => (isPicture(part) ? `![${part.title}](images/${part.file})` : asOneLine(part))),
    [
      ...(budgets.length > 0 ? [budgetLine(budgets)] : []),
      `_${at.slice(0, 10)}, ${cores} × ${cpu}, Node ${node}${under}._`,
    ].join(' '),
  ];
}

/** A paragraph without its breaks; a table as it is. */
function asOneLine(text: string): string {
  return text.startsWith('|') ? text : text.replaceAll('\n', ' ');
}

function budgetLine(budgets: readonly Budget[]): string {
  const texts = budgets.map((budget) => {
    const { name, value, limit, kind, unit } = budget;
    const text = `${name} ${withUnit(value, unit)} (${kind === 'max' ? '≤' : '≥'} ${withUnit(limit, unit)})`;
    return missesBudget(budget) ? `**${text}, missed**` : text;
  });
  return `**Budgets${budgets.some(missesBudget) ? '' : ', all kept'}:** ${texts.join('; ')}.`;
}

function withUnit(value: number, unit: string): string {
  return unit === '' ? String(value) : `${value} ${unit}`;
}

/** The answers in one look; those that nobody has measured are left out. */
function summary(results: Results): string[] {
  const figure = (name: string, key: string) => results[name]?.figures?.[key];
  const rows = [
    ['a decision of a warm function', figure('warm', 'readMilliseconds1'), 'ms, with DynamoDB next door', 2],
    ['the same in a new process', figure('cold', 'answerMilliseconds'), 'ms', 0],
    ['a million decisions by `GET access`', figure('cost', 'getDollars'), '$, all included', 2],
    ['GETs a second of one application', figure('scale', 'getsPerSecond'), ', more with `keyStateCacheSeconds`', 0],
    ['a decision of a replica', figure('replica', 'checkMicroseconds'), 'µs', 2],
  ] as const;
  const known = rows.flatMap(([what, value, unit, digits]) =>
    value === undefined ? [] : [[what, `${rounded(value, digits)}${unit.startsWith(',') ? '' : ' '}${unit}`]],
  );
  return known.length === 0 ? [] : [markdownTable(['', ''], known)];
}

function rounded(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Every budget that is missed, with why that is accepted for now. */
function missed(results: Results): string[] {
  const lines = Object.values(results).flatMap((measured) =>
    measured.budgets.filter(missesBudget).map(({ name, argument = 'no argument yet' }) => `- **${name}**: ${argument}`),
  );
  return lines.length === 0 ? ['Every budget is kept.'] : ['## Missed budgets', lines.join('\n')];
}

export function isPicture(part: string | Picture): part is Picture {
  return typeof part !== 'string';
}
