import * as options from '#options/change-kinds.ts';
import type { ChangeKinds } from './described-changes.ts';

type Kinds = (typeof options)[keyof typeof options];
type ActionsOf<Union> = Union extends { readonly actions: infer Actions } ? keyof Actions & string : never;

const kinds: readonly ChangeKinds[] = Object.values(options);

/** The actions of all options. */
export type OptionAction = ActionsOf<Kinds>;
export const optionActions = kinds.flatMap(({ actions }) => Object.keys(actions)) as readonly OptionAction[];

/** What all options say of their Changes. */
export const optionChanges: ChangeKinds & { readonly actions: Readonly<Record<OptionAction, string>> } = {
  actions: Object.assign({}, ...kinds.map(({ actions }) => actions)),
  labels: Object.assign({}, ...kinds.map(({ labels }) => labels)),
  harmless: kinds.flatMap(({ harmless }) => harmless),
  personal: kinds.flatMap(({ personal }) => personal),
  describe: Object.assign({}, ...kinds.map(({ describe }) => describe)),
};
