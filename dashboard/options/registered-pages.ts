import * as options from '#options/pages.ts';
import type { OptionPages } from './option-pages.ts';

/** What the options add to the dashboard, sorted by their names in the register. */
export const registeredPages: readonly OptionPages[] = Object.values(options);
