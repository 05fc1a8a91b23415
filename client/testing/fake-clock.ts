/** The time by which blocks and grants end; a test moves it. Signatures are verified by this machine's own clock. */
export interface FakeClock {
  now(): Date;
  advance(seconds: number): void;
  /** The time in milliseconds, and a number that rises with each call. */
  rising(at: Date): readonly [milliseconds: number, count: number];
}

export function createFakeClock(): FakeClock {
  let ahead = 0;
  let last = 0;
  let count = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance(seconds) {
      ahead += seconds * 1000;
    },
    rising(at) {
      last = Math.max(last, at.getTime());
      return [last, count++];
    },
  };
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID of a time and a number: of two, the later is the higher. */
export function formatId([milliseconds, count]: readonly [milliseconds: number, count: number]): string {
  return base32(milliseconds, 10) + base32(count, 16);
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
  return text;
}
