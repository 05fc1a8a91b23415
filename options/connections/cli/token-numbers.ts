import type { AddCommands } from '#cli/service/command-context.ts';
import { tokenMember } from '../contract/token-member.ts';

const addNothing = () => undefined;

/** The tokens of connections among the numbers of the command line. */
export const tokenNumbers: AddCommands = Object.assign(addNothing, { overview: tokenMember });
