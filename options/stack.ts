/** What the options add to the stack. */
export { addCanary } from './canary/stack/canary-stack.ts';
export { addHeadSigning } from './evidence/stack/evidence-stack.ts';
export { addLogin } from './login/stack/login-stack.ts';
export { addRepair } from './repair/stack/repair-stack.ts';
export { addWebhooks } from './webhooks/stack/webhooks-stack.ts';
