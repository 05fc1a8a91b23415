import type { OptionPages } from '#dashboard/options/option-pages.ts';

/** Reviews in the dashboard: a tab of each application. Offboarding: an action on a user, and what its activation gives back. */
export const reviewPages: OptionPages = {
  applicationTabs: [{ id: 'review', label: 'Review', lazy: () => import('./review-tab.tsx') }],
  userActions: [
    {
      text: 'Offboard',
      operation: 'set-user-status-in-bulk',
      insteadOfDeactivation: 'to remove the roles too, offboard the user',
      lazy: () => import('./offboard-dialog.tsx'),
    },
  ],
  activationPart: () => import('./give-back-roles.tsx'),
};
