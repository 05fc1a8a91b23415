/** What an option adds to the stack. */
export interface OptionStack {
  /** Paths that a function of the option answers without a caller, if the stack has the function. */
  readonly publicPaths: readonly PublicPath[];
}

/** A path that is answered without a caller. */
export interface PublicPath {
  /** The id of its route's construct. */
  readonly id: string;
  readonly path: string;
  /** The function that has what it answers. */
  readonly servedBy: string;
  /** Why it needs no caller. */
  readonly reason: string;
}
