/** The addresses in a text that has one a line, without empty lines. */
export function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}
