/** The parts of a document that an option generates, by the names of their places. */
export interface GeneratedBlocks {
  /** The document, by its path in the project. */
  readonly document: string;
  readonly blocks: () => Readonly<Record<string, string>>;
}
