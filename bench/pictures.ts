import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Quartiles } from './statistics.ts';

interface Titled {
  /** The file in `docs/images/`, with its extension. */
  readonly file: string;
  readonly title: string;
}

/** Horizontal bars of medians, with the middle half of the samples as a line. */
export interface BarPicture extends Titled {
  readonly kind: 'bars';
  readonly unit: string;
  readonly bars: readonly ({ readonly label: string } & Quartiles)[];
}

/** Lines of medians over a common axis, with the middle half of the samples as vertical lines. */
export interface LinePicture extends Titled {
  readonly kind: 'lines';
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly {
    readonly label: string;
    readonly points: readonly ({ readonly x: number } & Quartiles)[];
  }[];
}

export type Picture = BarPicture | LinePicture;

/** An SVG picture, drawn by Vega-Lite, that follows the reader's light or dark scheme. */
export async function drawPicture(picture: Picture): Promise<string> {
  const spec = picture.kind === 'bars' ? barSpec(picture) : lineSpec(picture);
  const svg = await new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
  const head = `<title>${escaped(picture.title)}</title><style>${schemes}</style>`;
  // Vega describes each mark for screen readers of an interactive picture; a static one is a single image with a title.
  const still = svg.replaceAll(/ (?:role|aria-[a-z]+)="[^"]*"/g, '');
  return `${still.replace(/<svg([^>]*)>/, (_, attributes) => `<svg${attributes} role="img">${head}`)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const colours = ['var(--first)', 'var(--second)'];
const schemes =
  ':root{--ink:#1f2328;--ground:#fff;--grid:#d1d9e0;--first:#0969da;--second:#bc4c00}' +
  '@media(prefers-color-scheme:dark){:root{--ink:#f0f6fc;--ground:#0d1117;--grid:#3d444d;--first:#4493f8;--second:#f0883e}}';

function common({ title }: Titled) {
  const ink = { labelColor: 'var(--ink)', titleColor: 'var(--ink)' };
  return {
    title: { text: title, color: 'var(--ink)', anchor: 'start' },
    description: title,
    background: 'var(--ground)',
    padding: 12,
    config: {
      font: 'system-ui, sans-serif',
      view: { stroke: null },
      axis: { ...ink, gridColor: 'var(--grid)', domainColor: 'var(--grid)', tickColor: 'var(--grid)', labelLimit: 320 },
      legend: { labelColor: 'var(--ink)', title: null, orient: 'top' },
      range: { category: colours },
    },
  } as const;
}

function barSpec(picture: BarPicture): TopLevelSpec {
  const y = { field: 'label', type: 'nominal', sort: null, title: null } as const;
  return {
    ...common(picture),
    width: 420,
    height: { step: 26 },
    data: { values: [...picture.bars] },
    encoding: { y },
    layer: [
      {
        mark: { type: 'bar', color: colours[0] ?? '' },
        encoding: { x: { field: 'median', type: 'quantitative', title: picture.unit } },
      },
      {
        mark: { type: 'rule', color: 'var(--ink)', strokeWidth: 2 },
        encoding: { x: { field: 'lower', type: 'quantitative' }, x2: { field: 'upper' } },
      },
      {
        mark: { type: 'text', color: 'var(--ink)', align: 'left', dx: 6 },
        encoding: {
          x: { field: 'upper', type: 'quantitative' },
          text: { field: 'median', type: 'quantitative', format: ',.3~r' },
        },
      },
    ],
  };
}

function lineSpec(picture: LinePicture): TopLevelSpec {
  const values = picture.series.flatMap(({ label, points }) => points.map((point) => ({ label, ...point })));
  const color = { field: 'label', type: 'nominal', sort: null } as const;
  const x = { field: 'x', type: 'quantitative', title: picture.xLabel, axis: { tickCount: 6 } } as const;
  return {
    ...common(picture),
    width: 560,
    height: 240,
    data: { values },
    encoding: { x, color },
    layer: [
      {
        mark: { type: 'line', point: true },
        encoding: { y: { field: 'median', type: 'quantitative', title: picture.yLabel } },
      },
      { mark: 'rule', encoding: { y: { field: 'lower', type: 'quantitative' }, y2: { field: 'upper' } } },
    ],
  };
}
