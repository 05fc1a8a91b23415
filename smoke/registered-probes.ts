import * as catalog from '#options/catalog.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { OptionProbes } from './option-probes.ts';

/** What the options add to the smoke test. */
export const optionProbes: readonly OptionProbes[] = membersOf(catalog, 'probes');
