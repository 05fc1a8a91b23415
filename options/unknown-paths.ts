/** How options refuse requests to paths that do not exist. */
export { refuseScimPath } from './directories/http/refuse-scim-path.ts';
