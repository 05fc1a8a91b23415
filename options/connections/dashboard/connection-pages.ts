import { countedToDo, type OptionPages, type ToDos } from '#dashboard/options/option-pages.ts';
import { type TokenCounts, tokenMember } from '../contract/token-member.ts';
import { tokenWords } from './token-words.ts';

const tokenToDos: ToDos<TokenCounts> = {
  member: tokenMember,
  of: ({ expiring, unused }) =>
    [
      countedToDo('/connections?show=ends-soon', expiring, tokenWords.expiring),
      countedToDo('/connections?show=unused', unused, tokenWords.unused),
    ].filter(({ found }) => found.count > 0),
};

/** Connections in the dashboard: their pages, to which the page of API keys links, and the tokens that need attention. */
export const connectionPages: OptionPages = {
  routes: [{ path: '/connections/:connectionId?', lazy: () => import('./connections-page.tsx') }],
  keyLinks: [{ text: 'Connections', to: '/connections' }],
  userLinks: [{ text: 'Directories…', to: '/connections', operation: 'create-connection' }],
  toDos: tokenToDos,
};
