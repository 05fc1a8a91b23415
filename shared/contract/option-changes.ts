import * as options from '#options/change-kinds.ts';
import type { ChangeKinds } from './described-changes.ts';

type Kinds = (typeof options)[keyof typeof options];
type ActionsOf<Union> = Union extends { readonly actions: infer Actions } ? keyof Actions & string : never;

/** The kinds of Changes of each option. */
export const changeKinds: readonly ChangeKinds[] = Object.values(options);

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
