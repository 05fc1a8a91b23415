import { bulkEntries } from './bulk.ts';
import { bulkOutcomeSchema, bulkOutcomesSchema } from './bulk-answers.ts';
import { describeMembers } from './descriptions.ts';

/** The description shared by all bulk operations. */
export const bulkDescription =
  'Changes up to 100 users separately: one outcome for each, whether or not others fail. With an `Idempotency-Key`, each user is a call of its own: to retry, send the same key and content with the users whose outcome is `unavailable` or unknown. With `dryRun` nothing is written, and the outcomes are those that the request would have now.';

export const exampleOutcomes = [
  { userId: 'ada', outcome: 'changed' },
  {
    userId: 'grace',
    outcome: 'failed',
    problem: { code: 'user_not_found', detail: 'There is no user with this id. Create the user first.' },
  },
] as const;

describeMembers(bulkEntries, {
  userIds: 'The users, each once.',
  bulkId:
    'A ULID that you generate, the same in all requests of one bulk: each of its changes stores it, so that they can be undone together. Its time must be at most a day ago.',
  dryRun: 'Whether to return what would change without writing anything.',
});
describeMembers(bulkOutcomesSchema.entries, {
  items: 'The outcomes, in the order of the users.',
});
describeMembers(bulkOutcomeSchema.entries, {
  userId: 'The user, by the id that your applications share.',
  outcome: 'The outcome for this user.',
  problem: 'Why it failed; only if it failed.',
});
describeMembers(bulkOutcomeSchema.entries.problem.wrapped.entries, {
  code: 'The code, for programs. New codes may be added.',
  detail: 'The error in this request, and how to correct it.',
});
