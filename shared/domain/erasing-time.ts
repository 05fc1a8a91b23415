import { now } from '#shared/core/clock.ts';

/** Less than the function's own time-out, so that the answer still gets out. */
const erasingMilliseconds = 20_000;

/** Tells, from its making on, whether an erasing still has time; one that has none stops between two pages. */
export function erasingTime(): () => boolean {
  const end = now().getTime() + erasingMilliseconds;
  return () => now().getTime() < end;
}
