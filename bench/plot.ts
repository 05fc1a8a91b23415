import type { Quartiles } from './statistics.ts';

/** Bars from left to right, one below the other, with the middle half of the samples as a whisker. */
export interface BarPlot {
  readonly kind: 'bars';
  /** The file in `docs/images/`, with its ending. */
  readonly file: string;
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly ({ readonly label: string } & Quartiles)[];
  /** Drawn as a line across, if there is one. */
  readonly limit?: number;
}

/** Lines over a common axis, with the middle half of the samples as whiskers. */
export interface LinePlot {
  readonly kind: 'lines';
  /** The file in `docs/images/`, with its ending. */
  readonly file: string;
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Default: linear. */
  readonly xScale?: 'linear' | 'logarithmic';
  readonly series: readonly {
    readonly label: string;
    readonly points: readonly ({ readonly x: number } & Quartiles)[];
  }[];
}

export type Plot = BarPlot | LinePlot;

const width = 760;
const rowHeight = 26;
const colours = ['a', 'b', 'c', 'd', 'e'];

/** An SVG picture that follows the reader's light or dark scheme, on a ground of its own in both. */
export function drawPlot(plot: Plot): string {
  return plot.kind === 'bars' ? drawBars(plot) : drawLines(plot);
}

function drawBars({ title, unit, bars, limit }: BarPlot): string {
  const left = 290;
  const right = width - 90;
  const top = 44;
  const bottom = top + bars.length * rowHeight;
  const ticks = niceTicks(Math.max(limit ?? 0, ...bars.map(({ upper }) => upper)));
  const x = (value: number) => left + (value / (ticks.at(-1) ?? 1)) * (right - left);
  const rows = bars.map(({ label, lower, median, upper }, index) => {
    const y = top + (index + 0.5) * rowHeight;
    return [
      text(left - 8, y + 4, label, 'end'),
      `<rect class="a" x="${left}" y="${at(y - 8)}" width="${at(x(median) - left)}" height="16"/>`,
      line([x(lower), y, x(upper), y], 'whisker'),
      text(x(Math.max(upper, median)) + 6, y + 4, figure(median), 'start'),
    ].join('');
  });
  const grid = ticks.map(
    (tick) => line([x(tick), top, x(tick), bottom], 'grid') + text(x(tick), bottom + 16, figure(tick)),
  );
  const mark = limit === undefined ? [] : [line([x(limit), top - 6, x(limit), bottom], 'limit')];
  return picture(bottom + 44, title, [...grid, ...rows, ...mark, text(right, bottom + 34, unit, 'end')]);
}

function drawLines({ title, xLabel, yLabel, xScale, series }: LinePlot): string {
  const left = 70;
  const right = width - 20;
  const top = 44 + series.length * 18;
  const bottom = top + 240;
  const points = series.flatMap((each) => each.points);
  const scale = xScale === 'logarithmic' ? Math.log10 : (value: number) => value;
  const [first, last] = extent(points.map((point) => scale(point.x)));
  const ticks = niceTicks(Math.max(...points.map(({ upper }) => upper)));
  const x = (value: number) => left + ((scale(value) - first) / (last - first || 1)) * (right - left - 20) + 10;
  const y = (value: number) => bottom - (value / (ticks.at(-1) ?? 1)) * (bottom - top);
  const grid = ticks.map(
    (tick) => line([left, y(tick), right, y(tick)], 'grid') + text(left - 8, y(tick) + 4, figure(tick), 'end'),
  );
  const marks = [...new Set(points.map((point) => point.x))].map((value) => text(x(value), bottom + 18, figure(value)));
  const drawn = series.map((each, index) => {
    const colour = colours[index % colours.length];
    const path = each.points.map((point) => `${at(x(point.x))},${at(y(point.median))}`).join(' ');
    const whiskers = each.points.map((point) =>
      line([x(point.x), y(point.lower), x(point.x), y(point.upper)], 'whisker'),
    );
    const dots = each.points.map(
      (point) => `<circle class="${colour}" cx="${at(x(point.x))}" cy="${at(y(point.median))}" r="3"/>`,
    );
    const key = `<rect class="${colour}" x="${left}" y="${38 + index * 18}" width="12" height="12"/>${text(left + 18, 48 + index * 18, each.label, 'start')}`;
    return `${whiskers.join('')}<polyline class="${colour} line" points="${path}"/>${dots.join('')}${key}`;
  });
  const labels = [text((left + right) / 2, bottom + 38, xLabel), text(right, top - 8, yLabel, 'end')];
  return picture(bottom + 52, title, [...grid, ...marks, ...drawn, ...labels]);
}

function picture(height: number, title: string, parts: readonly string[]): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="6"/>`,
    `<text class="title" x="16" y="26">${escaped(title)}</text>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`;
}

/** Each pair of colours keeps a contrast of at least 4.5 to its ground. */
const style = [
  'text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:14px}.ground{fill:#fff}',
  '.grid{stroke:#d1d9e0}.whisker{stroke:#1f2328;stroke-width:2}.limit{stroke:#cf222e;stroke-width:2;stroke-dasharray:5 3}',
  '.a{fill:#0969da;stroke:#0969da}.b{fill:#bc4c00;stroke:#bc4c00}.c{fill:#1a7f37;stroke:#1a7f37}.d{fill:#8250df;stroke:#8250df}.e{fill:#9a6700;stroke:#9a6700}',
  '.line{fill:none;stroke-width:2}',
  '@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.ground{fill:#0d1117}.grid{stroke:#3d444d}.whisker{stroke:#f0f6fc}.limit{stroke:#ff7b72}',
  '.a{fill:#4493f8;stroke:#4493f8}.b{fill:#f0883e;stroke:#f0883e}.c{fill:#3fb950;stroke:#3fb950}.d{fill:#ab7df8;stroke:#ab7df8}.e{fill:#d29922;stroke:#d29922}.line{fill:none}}',
].join('');

function line([x1, y1, x2, y2]: readonly [number, number, number, number], kind: string): string {
  return `<line class="${kind}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`;
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end' = 'middle'): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** From zero past the highest value in four to eight round steps. */
function niceTicks(highest: number): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(highest || 1));
  const step =
    [0.1, 0.2, 0.25, 0.5, 1, 2, 2.5].map((part) => part * magnitude).find((each) => highest / each <= 8) ?? 1;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) => index * step);
}

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function at(pixels: number): string {
  return String(Number(pixels.toFixed(1)));
}

/** Three significant digits, and thousands told apart. */
function figure(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
