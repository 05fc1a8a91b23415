/** What options run in the local run. */
export { loginPart } from './login/local/login-part.ts';
