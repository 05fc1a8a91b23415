import { reasonEntries } from './change-reason.ts';
import { describeMembers } from './descriptions.ts';

describeMembers(reasonEntries, {
  reason: 'Why. It is kept in the history, and operators and the application can show it.',
  ticket: 'The ticket behind the change, such as `INC-1234`. It is kept in the history, beside the reason.',
});
