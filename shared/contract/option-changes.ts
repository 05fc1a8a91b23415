import * as names from '#options/names.ts';
import type { ChangeKinds } from './described-changes.ts';
import { type MemberOf, membersOf } from './members-of-options.ts';

type Kinds = MemberOf<(typeof names)[keyof typeof names], 'changes'>;
type ActionsOf<Words> = Words extends unknown ? keyof Words & string : never;

/** The kinds of Changes of each option. */
export const changeKinds: readonly ChangeKinds[] = membersOf(names, 'changes');

type FeedAction = ActionsOf<MemberOf<Kinds, 'actions'>>;
type OperatorAction = ActionsOf<MemberOf<Kinds, 'operatorActions'>>;
/** An action of one of the options. */
export type OptionAction = FeedAction | OperatorAction;

const feedActions: Readonly<Record<FeedAction, string>> = all('actions');
const operatorActions: Readonly<Record<OperatorAction, string>> = all('operatorActions');

/** What all options say of their Changes. */
export const optionChanges = {
  actions: { ...feedActions, ...operatorActions } as Readonly<Record<OptionAction, string>>,
  labels: all('labels') as ChangeKinds['labels'],
  harmless: changeKinds.flatMap(({ harmless }) => harmless),
  personal: changeKinds.flatMap(({ personal }) => personal),
  describe: all('describe') as ChangeKinds['describe'],
};

/** The actions of options that an application reads in its feed, and those that only operators read. */
export const optionActions: readonly FeedAction[] = namesIn(feedActions);
export const optionOperatorActions: readonly OperatorAction[] = namesIn(operatorActions);

function all(name: keyof ChangeKinds) {
  return Object.assign({}, ...changeKinds.map(({ [name]: part }) => part));
}

function namesIn<Named extends object>(named: Named) {
  return Object.keys(named) as (keyof Named & string)[];
}
