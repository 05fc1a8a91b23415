/** The examples at the end of a command's help; each is what follows the name of the program. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ auth-service ${line}`).join('\n')}`;
}
