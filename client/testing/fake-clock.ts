/** The clock of a fake, which a test can advance. */
export interface FakeClock {
  now(): Date;
  advance(seconds: number): void;
  /** A `Date` class that uses this clock. */
  readonly Date: DateConstructor;
}

export function createFakeClock(): FakeClock {
  let ahead = 0;
  const milliseconds = () => Date.now() + ahead;
  class ServiceDate extends Date {
    constructor(...given: readonly unknown[]) {
      super(...((given.length > 0 ? given : [milliseconds()]) as [number]));
    }
    static override now = milliseconds;
  }
  return {
    now: () => new Date(milliseconds()),
    advance(seconds) {
      ahead += seconds * 1000;
    },
    Date: ServiceDate as DateConstructor,
  };
}
