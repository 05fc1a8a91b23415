import { describe, expect, test } from '@jest/globals';
import { type BarPicture, drawPicture, type LinePicture } from '../../bench/pictures.ts';

const bars: BarPicture = {
  kind: 'bars',
  file: 'bars.svg',
  title: 'Bytes <b> & more',
  unit: 'KB',
  bars: [
    { label: 'one', lower: 90, median: 100, upper: 120 },
    { label: 'two', lower: 190, median: 200, upper: 210 },
  ],
};

const lines: LinePicture = {
  kind: 'lines',
  file: 'lines.svg',
  title: 'Latency',
  xLabel: 'users',
  yLabel: 'ms',
  series: [
    { label: 'GET', points: [10, 1000, 100_000].map((x) => ({ x, lower: 1, median: 2, upper: 3 })) },
    { label: 'PUT', points: [10, 1000, 100_000].map((x) => ({ x, lower: 2, median: 3, upper: 4 })) },
  ],
};

describe('a picture of bars', () => {
  test('draws bars to scale, in the order given, each with its label and figure', async () => {
    const svg = await drawPicture(bars);
    const [first = 0, second = 0] = [
      ...svg.matchAll(/<path d="M0,[\d.]+h([\d.]+)v[\d.]+h-[\d.]+Z" fill="var\(--first\)"/g),
    ].map(([, width]) => Number(width));
    expect(second / first).toBeCloseTo(2, 1);
    for (const text of ['one', 'two', '100', '200', 'KB']) expect(svg).toContain(`>${text}</text>`);
  });

  test('is one image with its title, escaped', async () => {
    const svg = await drawPicture(bars);
    expect(svg).toContain('role="img"><title>Bytes &lt;b&gt; &amp; more</title>');
    expect(svg.match(/ (?:role|aria-[a-z]+)=/g)).toHaveLength(1);
  });
});

test('a picture of lines has a line, its points and a legend for each series', async () => {
  const svg = await drawPicture(lines);
  expect(svg.match(/class="mark-line role-mark/g)).toHaveLength(2);
  expect(
    svg.match(/<path transform="[^"]+" d="[^"]+" fill="var\(--(?:first|second)\)" stroke-width="2" opacity="1"\/>/g),
  ).toHaveLength(6);
  for (const text of ['GET', 'PUT', 'users', 'ms']) expect(svg).toContain(`>${text}</text>`);
});

test.each([bars, lines])('a picture of $kind follows the light or dark scheme', async (picture) => {
  const svg = await drawPicture(picture);
  expect(svg).toContain('@media(prefers-color-scheme:dark)');
  expect(svg).toMatch(/<rect [^>]*fill="var\(--ground\)"/);
  const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour);
  expect(colours.filter((colour) => !/^(?:none|transparent|var\(--\w+\))$/.test(colour ?? ''))).toEqual([]);
});

test('the same picture is drawn alike each time', async () => {
  expect(await drawPicture(lines)).toBe(await drawPicture(lines));
});
