import { markdownTable, type Results } from './measurement.ts';

/** What a replica asks of the service: a poll in so many seconds, for as many hours as a month has. */
const pollSeconds = 5;
const monthHours = 730;
const usersPerCheck = 100;

/** A way to get decisions, beside the others. */
interface Way {
  readonly label: string;
  /** CPU of the function, or of the application's own process, for one decision. */
  readonly microseconds: number;
  readonly dollars: string;
  readonly staleness: string;
}

/** The three ways to decide, from what was measured of each; undefined until all three were. */
export function decisionsAtVolume({ warm, cost, replica }: Results): string | undefined {
  const [{ figures: cpu }, { figures: dollars }, { figures: memory }] = [warm ?? {}, cost ?? {}, replica ?? {}];
  if (cpu === undefined || dollars === undefined || memory === undefined) return undefined;
  const { readMicroseconds20 = Number.NaN, checkMicroseconds20 = Number.NaN } = cpu;
  const { getDollars = Number.NaN, checkDollars = Number.NaN, pollDollars = Number.NaN } = dollars;
  const polls = ((monthHours * 3600) / pollSeconds / 1e6) * pollDollars;
  const ways: Way[] = [
    {
      label: 'one user: `GET access`',
      microseconds: readMicroseconds20,
      dollars: getDollars.toFixed(2),
      staleness: 'none: strong reads',
    },
    {
      label: `${usersPerCheck} users: \`POST access/check\``,
      microseconds: checkMicroseconds20,
      dollars: (checkDollars / usersPerCheck).toFixed(2),
      staleness: 'none: strong reads',
    },
    {
      label: 'a replica in the application',
      microseconds: memory.checkMicroseconds ?? Number.NaN,
      dollars: `0, and ${polls.toFixed(2)} a month for each process`,
      staleness: `${pollSeconds} s, \`pollSeconds\``,
    },
  ];
  return [
    'What one decision takes of a core, of the function or, with a replica, of the application itself; 20 requests in flight.',
    markdownTable(
      ['decisions by', 'µs', 'a second and core', '$ a million', 'staleness'],
      ways.map(({ label, microseconds, dollars: price, staleness }) => [
        label,
        microseconds.toFixed(microseconds < 10 ? 2 : 0),
        significant(1e6 / microseconds),
        price,
        staleness,
      ]),
    ),
    `A check answers for ${usersPerCheck} users at once. A [replica](replica.md) asks nothing for a decision; it polls every ${pollSeconds} seconds.`,
  ].join('\n\n');
}

/** With two digits that count: the third depends on the machine. */
function significant(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US');
}
