/** A path that a function of an option answers without a caller, if the stack has the function. */
export interface PublicPath {
  /** The id of its route's construct. */
  readonly id: string;
  readonly path: string;
  /** The function that has what it answers. */
  readonly servedBy: string;
  /** Why it needs no caller. */
  readonly reason: string;
}
