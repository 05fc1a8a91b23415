/** The members of this name of a union of types; those that have none do not count. */
export type MemberOf<Option, Name extends string> =
  Option extends Readonly<Record<Name, infer Member>> ? Exclude<Member, undefined> : never;

/** The members of this name of all that is in a register; some options have none. */
export function membersOf<Register extends object, Name extends string>(
  register: Register,
  name: Name,
): readonly MemberOf<Register[keyof Register], Name>[] {
  const options: readonly { readonly [Given in Name]?: MemberOf<Register[keyof Register], Name> }[] =
    Object.values(register);
  return options.flatMap(({ [name]: member }) => (member === undefined ? [] : [member]));
}
