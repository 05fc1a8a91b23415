/** A failure that whoever runs the stack can mend: its message, one line of what is wrong and what to do, is all they need. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
}
