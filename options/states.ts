/** What the options keep in the table: how it is repaired, and counted on the overview. */
export { connectionState } from './connections/server/connection-state.ts';
export { directoryState } from './directories/server/directory-state.ts';
export { loginState } from './login/server/login-state.ts';
export { reviewCounts } from './reviews/server/overdue-count.ts';
