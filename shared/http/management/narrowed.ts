import type { Page } from '#shared/contract/answers.ts';
import type { AppId } from '#shared/contract/fields.ts';

/** A page with the applications it is limited to. */
export function narrowed<Item>(page: Page<Item>, limitedTo: readonly AppId[] | undefined) {
  return limitedTo === undefined ? page : { ...page, limitedTo };
}
