/** The paths that functions of options answer without a caller. */
export { authzenPublicPaths } from './authzen/authzen-public-paths.ts';
