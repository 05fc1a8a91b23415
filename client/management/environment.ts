/** The variables of the environment; none in a browser, which has no `process`. */
export function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { process?: { readonly env: Readonly<Record<string, string | undefined>> } };
  return process?.env ?? {};
}
