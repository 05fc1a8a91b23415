/** What the options keep of each connection of a kind. */
export { directoryPart } from './directories/server/directory-part.ts';
