import { describe, expect, test } from '@jest/globals';
import { type BarPlot, drawPlot, type LinePlot } from '../../bench/plot.ts';

const bars: BarPlot = {
  kind: 'bars',
  file: 'bars.svg',
  title: 'Bytes <b> & more',
  unit: 'KB',
  bars: [
    { label: 'one', lower: 90, median: 100, upper: 120 },
    { label: 'two', lower: 190, median: 200, upper: 210 },
  ],
  limit: 150,
};

const lines: LinePlot = {
  kind: 'lines',
  file: 'lines.svg',
  title: 'Latency',
  xLabel: 'users',
  yLabel: 'ms',
  xScale: 'logarithmic',
  series: [
    {
      label: 'GET',
      points: [10, 1000, 100_000].map((x) => ({ x, lower: 1, median: 2, upper: 3 })),
    },
  ],
};

describe('a plot of bars', () => {
  const svg = drawPlot(bars);

  test('is drawn to scale', () => {
    const [first = 0, second = 0] = [...svg.matchAll(/<rect class="a"[^>]* width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(second / first).toBeCloseTo(2, 1);
  });

  test('has the budget as a line', () => {
    expect(svg.match(/class="limit"/g)).toHaveLength(1);
  });

  test('takes its texts for text', () => {
    expect(svg).toContain('<title>Bytes &lt;b&gt; &amp; more</title>');
  });
});

test('a logarithmic axis gives equal ratios equal distances', () => {
  const [first = 0, second = 0, third = 0] = [...drawPlot(lines).matchAll(/<circle[^>]* cx="([\d.]+)"/g)].map(([, x]) =>
    Number(x),
  );
  expect(third - second).toBeCloseTo(second - first, 0);
});

test.each([bars, lines])('a plot of $kind has a ground and colours for light and for dark', (plot) => {
  const svg = drawPlot(plot);
  expect(svg).toContain('class="ground"');
  expect(svg).toContain('@media(prefers-color-scheme:dark)');
});
