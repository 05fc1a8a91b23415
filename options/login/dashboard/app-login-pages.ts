import type { OptionPages } from '#dashboard/options/option-pages.ts';

/** Logins in the dashboard: a tab of their application, and the account of each user. */
export const loginPages: OptionPages = {
  applicationTabs: [{ id: 'login', label: 'Login', lazy: () => import('./login-tab.tsx') }],
  userSections: [{ id: 'account', label: 'Login account', lazy: () => import('./account-section.tsx') }],
};
