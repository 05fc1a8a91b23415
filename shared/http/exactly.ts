/** What the endpoint itself reads of a request, so that functions get it with their context. */
type ReadByEndpoint = 'reason' | 'ticket' | 'dryRun';

type Names<Read> = Read extends unknown ? keyof Read : never;
type Member<Read, Name> = Read extends unknown ? (Name extends keyof Read ? Read[Name] : never) : never;
type Value = string | number | boolean | null | undefined | readonly unknown[];

/** The names of the members of an input that a function with this parameter does not read. */
export type Unread<Read, Given> = Exclude<keyof Given, Names<Read> | ReadByEndpoint>;

/** An input without members that are not read, in its objects too. */
type Exact<Read, Given> = [Given] extends [Value]
  ? unknown
  : {
      readonly [Name in keyof Given]: Name extends Names<Read>
        ? Exact<NonNullable<Member<Read, Name>>, NonNullable<Given[Name]>>
        : Name extends ReadByEndpoint
          ? unknown
          : never;
    };

/**
 * The same function, which does not compile with an input that it does not read. TypeScript itself finds such a member only in a
 * literal, not in what is spread or passed on: a new filter of a list would have no effect in a function that ignores it.
 */
export function exactly<Read, Others extends unknown[], Answer>(
  run: (request: Read, ...others: Others) => Answer,
): <Given extends Read>(request: Given & Exact<Read, Given>, ...others: Others) => Answer {
  return run;
}
