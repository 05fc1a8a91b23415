/** A member of a recorded state. */
export type RecordedValue = string | number | boolean | null;

/** The kinds of Changes that an option records. The dashboard's first page loads them, so no schemas. */
export interface ChangeKinds {
  /** Each action in two or three words: those in an application's feed, and those that only operators read. Default: none. */
  readonly actions?: ActionWords;
  readonly operatorActions?: ActionWords;
  /** Where the item of the application keeps what they record, each by its id, and what one is called. */
  readonly kept?: { readonly attribute: string; readonly noun: string };
  /** What an item of the option's own has, by the names of the recorded states. */
  readonly stateIn?: (item: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The members of the recorded states that are called otherwise than in the API. */
  readonly labels: Readonly<Record<string, string>>;
  /** All members: those that a redacted Change keeps, and those that may identify a person. */
  readonly harmless: readonly string[];
  readonly personal: readonly string[];
  /** The value of a member in words. */
  readonly describe: Readonly<Record<string, (value: RecordedValue, context: DescribedState) => string>>;
}

/** Actions, each with its words. */
export type ActionWords = Readonly<Record<`${string}.${string}`, string>>;

/** The state whose member is described, and the words for an action. */
export interface DescribedState {
  readonly state: Readonly<Record<string, RecordedValue | undefined>>;
  readonly actionLabel: (action: string) => string;
}
