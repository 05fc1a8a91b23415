/** What the options add to the page of a connection in the dashboard. */
export { setupTab } from './directories/dashboard/setup-tab.ts';
