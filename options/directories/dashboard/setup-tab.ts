import type { ConnectionTab } from '#options/connections/dashboard/connection-tab.ts';

/** What to enter in a directory, on the page of its connection. */
export const setupTab: ConnectionTab = {
  kind: 'scim',
  id: 'setup',
  label: 'Set up',
  lazy: () => import('./setup-guides.tsx'),
};
