/** A member of a recorded state. */
export type RecordedValue = string | number | boolean | null;

/** The kinds of Changes that an option records. The dashboard's first page loads them, so no schemas. */
export interface ChangeKinds {
  /** Each action in two or three words. All are in the application's feed. */
  readonly actions: Readonly<Record<`${string}.${string}`, string>>;
  /** Where the item of the application keeps what they record, each by its id, and what one is called. */
  readonly kept: { readonly attribute: string; readonly noun: string };
  /** The members of the recorded states that are called otherwise than in the API. */
  readonly labels: Readonly<Record<string, string>>;
  /** All members: those that a redacted Change keeps, and those that may identify a person. */
  readonly harmless: readonly string[];
  readonly personal: readonly string[];
  /** The value of a member in words. */
  readonly describe: Readonly<Record<string, (value: RecordedValue, context: DescribedState) => string>>;
}

/** The state whose member is described, and the words for an action. */
export interface DescribedState {
  readonly state: Readonly<Record<string, RecordedValue | undefined>>;
  readonly actionLabel: (action: string) => string;
}
