import * as options from '#options/pages.ts';
import type { Change } from '#shared/contract/change.ts';
import type { BulkKind, OptionPages, PageLink } from './option-pages.ts';

/** What the options add to the dashboard, sorted by their names in the register. */
export const registeredPages: readonly OptionPages[] = Object.values(options);

/** The pages about a bulk of changes, if an option has them. */
export const bulks = registeredPages.find((option) => option.bulks !== undefined)?.bulks;

/** The kind of a bulk of changes, if an option names it. */
export function bulkKindOf(changes: readonly Change[]): BulkKind | undefined {
  return registeredPages.find(({ bulkKind }) => bulkKind?.isOwn(changes))?.bulkKind;
}

/** The page that the dashboard begins with. */
export const home: PageLink = registeredPages.find((option) => option.home !== undefined)?.home ?? {
  text: 'Users',
  to: '/users',
};
