import * as catalog from '#options/catalog.ts';
import type { IndexList, KindOfOption, OptionItems } from '#shared/contract/item-kinds.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';

const items: readonly OptionItems[] = membersOf(catalog, 'items');

/** The kinds of items that options keep. */
export const optionKinds: Readonly<Record<string, KindOfOption>> = Object.assign(
  {},
  ...items.map(({ kinds }) => kinds),
);

/** The lists of options in the indexes. */
export const optionLists: Readonly<Record<string, IndexList>> = Object.assign({}, ...items.map(({ lists }) => lists));

/** The kinds with which the function of the Management API does this. */
export function kindsManagedBy(action: KindOfOption['managed'][number]): string[] {
  return Object.entries(optionKinds).flatMap(([kind, { managed }]) => (managed.includes(action) ? [kind] : []));
}
