/** How `changes apply` restores what the options keep. */
export { connectionRestoring } from './connections/cli/connection-restoring.ts';
