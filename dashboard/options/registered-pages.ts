import * as options from '#options/pages.ts';
import type { Bulks } from './bulks-context.ts';
import type { OptionPages, PageLink } from './option-pages.ts';

/** What the options add to the dashboard, sorted by their names in the register. */
export const registeredPages: readonly OptionPages[] = Object.values(options);

/** What the options know of bulks of changes; components read it from `BulksContext`. */
export const bulks: Bulks = {
  pages: registeredPages.find((option) => option.bulks !== undefined)?.bulks,
  kindOf: (changes) => registeredPages.find(({ bulkKind }) => bulkKind?.isOwn(changes))?.bulkKind,
};

/** The page that the dashboard begins with. */
export const home: PageLink = registeredPages.find((option) => option.home !== undefined)?.home ?? {
  text: 'Users',
  to: '/users',
};
