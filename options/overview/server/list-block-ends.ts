import type { Page } from '#shared/contract/answers.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { listPage } from '#shared/domain/request/list-page.ts';
import { accessOf } from '#shared/table/items/access-item.ts';
import { blockEndsRange } from '#shared/table/keys/access-item-keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import type { BlockEndView } from '../contract/overview.ts';

export interface BlockEndsRequest extends PageRequest {
  /** In seconds; undefined for all. */
  readonly endsWithin?: number | undefined;
  /** Only blocks in these applications. Default: all. */
  readonly limitedTo?: readonly AppId[] | undefined;
}

/** The blocks that have an end and are in force, by their end. */
export function listBlockEnds({ endsWithin, limitedTo, ...page }: BlockEndsRequest): Promise<Page<BlockEndView>> {
  const at = now();
  const upTo = endsWithin === undefined ? undefined : new Date(at.getTime() + endsWithin * 1000).toISOString();
  return listPage(blockEndsRange(at.toISOString(), upTo), page, (item) => {
    const { userId, appId, until, reason } = accessOf(item);
    if (until === null || limitedTo?.includes(appId) === false) return undefined;
    return { userId, appId, until, reason };
  });
}
