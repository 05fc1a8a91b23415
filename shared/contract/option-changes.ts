import * as names from '#options/names.ts';
import type { ChangeKinds } from './described-changes.ts';
import { type MemberOf, membersOf } from './members-of-options.ts';

type Kinds = MemberOf<(typeof names)[keyof typeof names], 'changes'>;
type ActionsOf<Union> = Union extends { readonly actions: infer Actions } ? keyof Actions & string : never;

/** The kinds of Changes of each option. */
export const changeKinds: readonly ChangeKinds[] = membersOf(names, 'changes');

/** An action of one of the options. */
export type OptionAction = ActionsOf<Kinds>;

/** What all options say of their Changes. */
export const optionChanges: Omit<ChangeKinds, 'kept' | 'actions'> & {
  readonly actions: Readonly<Record<OptionAction, string>>;
} = {
  actions: Object.assign({}, ...changeKinds.map(({ actions }) => actions)),
  labels: Object.assign({}, ...changeKinds.map(({ labels }) => labels)),
  harmless: changeKinds.flatMap(({ harmless }) => harmless),
  personal: changeKinds.flatMap(({ personal }) => personal),
  describe: Object.assign({}, ...changeKinds.map(({ describe }) => describe)),
};

export const optionActions: readonly OptionAction[] = namesIn(optionChanges.actions);

function namesIn<Named extends object>(named: Named) {
  return Object.keys(named) as (keyof Named & string)[];
}
