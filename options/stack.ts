/** What the options add to the stack. */
export { authzenStack } from './authzen/authzen-stack.ts';
