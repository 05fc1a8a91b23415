import { countedToDo, type OptionPages, type ToDos } from '#dashboard/options/option-pages.ts';
import { reviewMember } from '../contract/review-member.ts';
import { isOffboarding } from '../is-offboarding.ts';
import { overdueWords } from './overdue-words.ts';

const reviewToDos: ToDos<number> = {
  member: reviewMember,
  of: (count) => [countedToDo('/applications?review=overdue', { count, more: false }, overdueWords)],
};

/** Reviews in the dashboard: a tab of each application. Offboarding: an action on a user, and what its activation gives back. */
export const reviewPages: OptionPages = {
  toDos: reviewToDos,
  applicationTabs: [{ id: 'review', label: 'Review', lazy: () => import('./review-tab.tsx') }],
  userActions: [
    {
      text: 'Offboard',
      operation: 'set-user-status-in-bulk',
      isDestructive: true,
      insteadOfDeactivation: 'to remove the roles too, offboard the user',
      lazy: () => import('./offboard-dialog.tsx'),
    },
  ],
  activationPart: () => import('./give-back-roles.tsx'),
  bulkKind: { word: 'Offboarded', isOwn: isOffboarding, lazy: () => import('./offboarding-record.tsx') },
};
