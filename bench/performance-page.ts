import { type Budget, type Measured, markdownTable, missesBudget, type Results } from './measurement.ts';

/** A part of the page: the results of one measurement, or conclusions from several. */
type Part =
  | { readonly title: string; readonly measured: string }
  | { readonly title: string; readonly derived: (results: Results) => string };

interface Chapter {
  readonly title: string;
  readonly introduction: string;
  readonly parts: readonly Part[];
}

const chapters: readonly Chapter[] = [
  {
    title: 'Latency',
    introduction: `The time that the function adds to DynamoDB's few milliseconds and to the network. Where no request may wait for a new process, [\`provisionedConcurrency\`](../operate/capacity.md#no-cold-starts) keeps some ready.`,
    parts: [
      { title: 'A warm request', measured: 'warm' },
      { title: 'Behind an HTTP server', measured: 'http' },
      { title: 'A cold start', measured: 'cold' },
      { title: 'Requests of connections', measured: 'endpoints' },
      { title: 'Size of the functions', measured: 'bundles' },
    ],
  },
  {
    title: 'Cost',
    introduction: '[Costs](../operate/costs.md) has the price of each part of a request, of a setting, and of a month.',
    parts: [
      { title: 'Decisions at volume', derived: decisionsAtVolume },
      { title: 'Requests and units', measured: 'cost' },
    ],
  },
  {
    title: 'Scale',
    introduction: '[Scale](../operate/scale.md) has the limit of each part of the service, and what to do about it.',
    parts: [
      { title: 'A larger table', measured: 'growth' },
      { title: 'Load and leaks', measured: 'load' },
      { title: 'The dashboard with 100,000 users', measured: 'pages' },
      { title: 'A first visit to the dashboard', measured: 'first-visit' },
      { title: 'A replica', measured: 'replica' },
    ],
  },
];

/** The names of the measurements in the order of the page. */
export const measuredNames: readonly string[] = chapters.flatMap(({ parts }) =>
  parts.flatMap((part) => ('measured' in part ? [part.measured] : [])),
);

/** The whole page as Markdown, without measurements that were never made. */
export function pageText(results: Results): string {
  const body = chapters.flatMap(({ title, introduction, parts }) => [
    `## ${title}`,
    introduction,
    ...parts.flatMap((part) => [`### ${part.title}`, ...partText(part, results)]),
  ]);
  return [opening, summary(results), ...body].join('\n\n').concat('\n');
}

const opening = `# Performance

The numbers to judge the service by: latency, cost and scale. \`npm run bench\` measures on one machine, writes this page, and keeps
its results in \`bench/results.json\`; \`npm run bench -- --only <names>\` repeats some measurements and keeps the others. Nothing here was measured on AWS: the functions are the files that a deployment uploads, the same for every processor, run on this machine.
Milliseconds are this machine's; ratios compare samples of the same moment and carry over. Figures are medians, with the middle half
in brackets.`;

function partText(part: Part, results: Results): string[] {
  if ('derived' in part) return [part.derived(results)];
  const measured = results[part.measured];
  return measured === undefined ? [] : sectionText(measured);
}

function sectionText({ at, machine, budgets, report }: Measured): string[] {
  const { cpu, cores, node, load } = machine;
  return [
    ...report.map(asOneLine),
    `${budgetLine(budgets)} _${at.slice(0, 10)}, ${cores} × ${cpu}, Node ${node}, load ${load.toFixed(1)} before._`,
  ];
}

/** Joins the lines of a paragraph; leaves a table as it is. */
function asOneLine(text: string): string {
  return text.startsWith('|') ? text : text.replaceAll('\n', ' ');
}

function budgetLine(budgets: readonly Budget[]): string {
  const texts = budgets.map((budget) => {
    const { name, value, limit, unit } = budget;
    const text = `${name} ${withUnit(value, unit)} (≤ ${withUnit(limit, unit)})`;
    return missesBudget(budget) ? `**${text}, missed**` : text;
  });
  return `**Budgets${budgets.some(missesBudget) ? '' : ', all met'}:** ${texts.join('; ')}.`;
}

function withUnit(value: number, unit: string): string {
  return unit === '' ? String(value) : `${value} ${unit}`;
}

/** The key figures. */
function summary(results: Results): string {
  const figure = (name: string, key: string, digits: number) => figureOf(results, name, key).toFixed(digits);
  return markdownTable(
    ['', ''],
    [
      [
        'a decision of a warm function',
        `${figure('warm', 'readMilliseconds1', 2)} ms, without HTTP, with a local DynamoDB`,
      ],
      ['the same in a new process', `${figure('cold', 'answerMilliseconds', 0)} ms`],
      ['a million decisions by `GET access`', `$${figure('cost', 'getDollars', 2)}, everything included`],
      ['a decision of a replica', `${figure('replica', 'checkMicroseconds', 2)} µs`],
    ],
  );
}

/** A figure that another section uses; NaN until it has been measured. */
function figureOf(results: Results, name: string, key: string): number {
  return results[name]?.figures?.[key] ?? Number.NaN;
}

/** A replica's requests: one poll at this interval, for as many hours as a month has. */
const pollSeconds = 5;
const monthHours = 730;
const usersPerCheck = 100;

/** Without an HTTP server, the second column stays empty. */
function withGap([alone = '', served = '–']: readonly string[]): readonly string[] {
  return [alone, served];
}

/** To two significant digits: the third depends on the machine. */
function perSecond(microseconds: number): string {
  return Number((1e6 / microseconds).toPrecision(2)).toLocaleString('en-US');
}

/** The three ways to decide, from the measurements of each. */
export function decisionsAtVolume(results: Results): string {
  const dollars = (key: string) => figureOf(results, 'cost', key);
  const monthly = ((monthHours * 3600) / pollSeconds / 1e6) * dollars('pollDollars');
  const way = (
    label: string,
    microseconds: readonly number[],
    price: string,
    staleness = 'none: strongly consistent',
  ) => [
    label,
    ...withGap(microseconds.map((each) => each.toFixed(each < 10 ? 2 : 0))),
    ...withGap(microseconds.map(perSecond)),
    price,
    staleness,
  ];
  const [read, check] = (['read', 'check'] as const).map((kind) => [
    figureOf(results, 'http', `${kind}FunctionMicroseconds`),
    figureOf(results, 'http', `${kind}ServerMicroseconds`),
  ]) as [number[], number[]];
  const replica = figureOf(results, 'replica', 'checkMicroseconds');
  const database = (kind: string) => figureOf(results, 'http', `${kind}DatabaseMicroseconds`).toFixed(0);
  return [
    `CPU time of one decision, 20 requests in flight. *Function*: the function alone, without an HTTP server and without the database. *With HTTP*: the process of \`npm start\`, which is the HTTP server, the rules of API Gateway and IAM, and the function; not the emulator of the database, which took ${database('read')} µs more for a GET and ${database('check')} µs for each user of a check. On AWS the server and the database are AWS's, and a function's time is *function*. A replica decides within the application, without a server and a database.`,
    markdownTable(
      [
        'decisions by',
        'µs, function',
        'µs, with HTTP',
        'per second and core, function',
        'with HTTP',
        '$ per million',
        'staleness',
      ],
      [
        way('one user: `GET access`', read, dollars('getDollars').toFixed(2)),
        way(
          `${usersPerCheck} users: \`POST access/check\``,
          check,
          (dollars('checkDollars') / usersPerCheck).toFixed(2),
        ),
        way(
          'a replica in the application',
          [replica],
          `0, plus ${monthly.toFixed(2)} per month and process`,
          `${pollSeconds} s, \`pollSeconds\``,
        ),
      ],
    ),
    `A check answers for ${usersPerCheck} users at once. A [replica](../integrate/replica.md) sends no request for a decision; it polls every ${pollSeconds} seconds.`,
  ].join('\n\n');
}
