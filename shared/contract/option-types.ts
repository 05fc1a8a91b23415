import type { GenericSchema, ObjectEntries, StrictObjectSchema } from 'valibot';
import * as catalog from '#options/catalog.ts';
import { type MemberOf, membersOf } from './members-of-options.ts';
import type { Together } from './option-operations.ts';

/** What an option adds to the types of the SDK, each by its name. */
export interface SdkTypes {
  /** The kinds of changes that an application reads. */
  readonly changes: Readonly<Record<string, StrictObjectSchema<ObjectEntries, undefined>>>;
  readonly answers: Readonly<Record<string, GenericSchema>>;
  /** The bodies of writes, which callers pass. */
  readonly inputs: Readonly<Record<string, GenericSchema>>;
  /** The doc comment of each. */
  readonly comments: Readonly<Record<string, string>>;
}

type Options = MemberOf<(typeof catalog)[keyof typeof catalog], 'types'>;
type Part<Name extends keyof SdkTypes> = Together<Options[Name]>;

const types: readonly SdkTypes[] = membersOf(catalog, 'types');
const all = (name: keyof SdkTypes) => Object.assign({}, ...types.map(({ [name]: part }) => part));

export const optionChangeSchemas: Part<'changes'> = all('changes');
export const optionAnswers: Part<'answers'> = all('answers');
export const optionInputs: Part<'inputs'> = all('inputs');
export const optionComments: Part<'comments'> = all('comments');
