import { createContext } from 'react';
import type { Change } from '#shared/contract/change.ts';
import type { BulkKind, BulkPages } from './option-pages.ts';

/** What the options know of bulks of changes. */
export interface Bulks {
  /** Their pages, if an option has them. */
  readonly pages: BulkPages | undefined;
  /** The kind of a bulk, if an option names it. */
  readonly kindOf: (changes: readonly Change[]) => BulkKind | undefined;
}

/** The same for all components: parts of options cannot import the register that they are in. */
export const BulksContext = createContext<Bulks>({ pages: undefined, kindOf: () => undefined });
