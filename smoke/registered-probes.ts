import * as catalog from '#options/catalog.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { OptionProbes } from './option-probes.ts';

/** What the options add to the smoke test; only here is it loaded, so that the stack does without it. */
export const optionProbes: readonly OptionProbes[] = await Promise.all(
  membersOf(catalog, 'probes').map((load) => load()),
);
