/** The process's environment; nothing else reads `process.env`. */
export const environment: NodeJS.ProcessEnv = process.env;

/** A variable that must be there; the error at cold start names it. */
export function required(name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`The environment variable ${name} is missing`);
  return value;
}
