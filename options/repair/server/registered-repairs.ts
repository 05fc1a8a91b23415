import * as states from '#options/states.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { OptionRepair } from '#shared/domain/request/option-repair.ts';

/** What the options add to the repair. */
export const registeredRepairs: readonly OptionRepair[] = membersOf(states, 'repair');

/** The resources of the options. */
export const repairedResources = registeredRepairs.flatMap(({ resources = [] }) => resources);
