import { describeMembers } from './descriptions.ts';
import { setBySchema } from './set-by.ts';

describeMembers(setBySchema.entries, {
  changeId: 'The `id` of the change that set it.',
  caller: 'Who set it; `null` after the retention of the history.',
  reason: 'The reason that the caller gave.',
  ticket: 'The ticket that the caller gave; `null` if there was none.',
  bulkId: 'The bulk that the change is part of, such as an offboarding; `null` if it is part of none.',
});
