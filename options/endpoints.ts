/** The endpoints for connections, by the value of the setting `endpoints` that deploys them. */
export { authzenEndpoints as evaluate } from './authzen/authzen-endpoints.ts';
export { directoryEndpoints as scim } from './directories/contract/scim-endpoints.ts';
export { loginHookEndpoints as hooks } from './login-hooks/login-hook-endpoints.ts';
