import { brokenInCallers } from './broken-conditions/callers.ts';
import { brokenInFollowers } from './broken-conditions/followers.ts';
import { brokenInWrites } from './broken-conditions/writes.ts';
import { optionParts } from './option-parts.ts';

/** A condition that is removed from the service, to prove that a check notices. */
export interface BrokenCondition {
  readonly file: string;
  /** The condition's source text, which occurs in the file exactly once. */
  readonly text: string;
  readonly instead: string;
  /** The name of the check that must fail. */
  readonly check: string;
  /** Only the takeover of a Region shows it. */
  readonly takeovers?: true;
  /** Noticed by at most one in fifty seeds, which takes longer: only `npm run simulate -- --break` tries it. */
  readonly rare?: true;
  /** The first seed in which the check notices. Default: 1. If it no longer does, which costs time, others are tried. */
  readonly seed?: number;
  /** Set if the check needs as many caches as the simulation has processes. Default: two, which takes a third of the time to load. */
  readonly processCopies?: number;
}

/** Of the two copies of the code with a condition less, one caches keys and one does not. */
export const copiesOfBroken = 2;

/** Ends the line of a condition whose stated seed no longer notices: finding another one costs time in each run. */
export const outdatedSeed = ', not in the stated one';

/** The breaks that must be noticed, by the name that `--break` takes. */
export const brokenConditions: Readonly<Record<string, BrokenCondition>> = {
  ...brokenInWrites,
  ...brokenInFollowers,
  ...brokenInCallers,
  ...Object.assign({}, ...optionParts.map((part) => part.brokenConditions)),
};
