/**
 * An error that the user can fix; its message says in one line what is wrong and what to do, so the stack is not shown.
 */
export class LocalError extends Error {
  override readonly name = 'LocalError';
}
