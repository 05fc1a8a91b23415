/** A request of a directory as received by a process. */
export interface ReceivedScim {
  readonly method: string;
  /** Below `/scim/v2`, without the query. */
  readonly path: string;
  readonly query: string;
  readonly body: object | undefined;
  /** The version that it expects; undefined for any. */
  readonly ifMatch: number | undefined;
  readonly token: string;
  readonly requestId: string;
  readonly milliseconds: number;
}

/** The response to a directory. */
export interface ScimAnswer {
  readonly status: number;
  /** Empty if there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}
