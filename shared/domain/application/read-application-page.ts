import type { Page } from '#shared/contract/answers.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { type Application, applicationOf } from '#shared/table/items/application-item.ts';
import { applicationKey, applicationsRange } from '#shared/table/keys/application-item-keys.ts';
import { type PageRequest, readNamedPage } from '#shared/table/queries/read-page.ts';
import { listPage } from '../request/list-page.ts';

/** A page of all applications, or of those an operator is limited to, ordered by id. */
export async function readApplicationPage(
  request: PageRequest,
  limitedTo: readonly AppId[] | undefined,
): Promise<Page<Application>> {
  if (limitedTo === undefined) return listPage(applicationsRange(), request, applicationOf);
  const { items, cursor } = await readNamedPage({ names: limitedTo, keyOf: applicationKey }, request);
  return { items: items.flatMap((item) => applicationOf(item) ?? []), cursor };
}
