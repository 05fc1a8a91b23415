import type * as v from 'valibot';
import {
  changedEntries,
  deletionSchema,
  keyCountsSchema,
  limitedCountSchema,
  narrowedEntries,
  recordedEntries,
  versionedEntries,
} from './answers.ts';
import { describeMembers } from './descriptions.ts';

const changed = 'Whether the request changed anything. `false` if it was already in this state.';

/** A page with the descriptions of its members, one of which may differ. */
export function describedPage<Page extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  page: Page,
  { cursor = 'Leads to the next page, as `?cursor=`. `null` on the last page.' } = {},
): Page {
  describeMembers<v.ObjectEntries>(page.entries, { items: 'The items of this page.', cursor });
  return page;
}

describeMembers(versionedEntries, {
  version:
    'Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0.',
  createdAt: 'When it was created.',
  updatedAt: 'When it last changed.',
});
describeMembers(deletionSchema.entries, {
  changed,
  complete: '`false` if time ran out: repeat the request to continue.',
});
describeMembers(changedEntries, { changed });
describeMembers(recordedEntries, {
  changeId: 'The `id` of the change that the request made; `null` if nothing changed.',
});
describeMembers(narrowedEntries, {
  limitedTo:
    "The applications to which the operator's roles are limited: the list leaves out all others. Absent without a limit.",
});
describeMembers(keyCountsSchema.entries, {
  expiring: 'Keys that expire within 30 days, without those that a rotation replaced.',
  unused: 'Keys that were not used for 30 days.',
});
describeMembers(limitedCountSchema.entries, {
  count: 'How many were found.',
  more: 'Whether there may be more: the number read is limited.',
});
