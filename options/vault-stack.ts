/** What the options add to the stack of the second account. */
export { addHeadsBucket } from './evidence/stack/heads-bucket.ts';
