const members = new Map<unknown, Map<string, string>>();

/**
 * Describes the members of schemas. A schema that reuses a member also reuses its description, so a member that means something
 * else has a schema of its own, such as `v.pipe(timestampSchema)`. Only the documents beside the records call it: no bundle
 * contains them.
 */
export function describeMembers<Entries extends object>(
  schemas: Entries | readonly Entries[],
  descriptions: { readonly [Name in keyof NoInfer<Entries>]?: string },
): void {
  for (const entries of [schemas].flat() as readonly Readonly<Record<string, unknown>>[]) {
    for (const [name, description] of Object.entries(descriptions as Readonly<Record<string, string>>)) {
      const known = members.get(entries[name]) ?? new Map<string, string>();
      if ((known.get(name) ?? description) !== description)
        throw new Error(`The schema of ${name} already means: ${known.get(name)}`);
      members.set(entries[name], known.set(name, description));
    }
  }
}

/** What a member of this schema under this name means, where a description says so. */
export function descriptionOf(schema: unknown, name: string): string | undefined {
  return members.get(schema)?.get(name);
}
