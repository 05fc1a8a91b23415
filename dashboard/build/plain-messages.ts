/**
 * Stands in for `intl-messageformat`, which Cloudscape loads with every component (13 KB compressed) and uses only for
 * translations. The dashboard passes its own texts, which contain no ICU syntax.
 */
export default class PlainMessage {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  format(): string {
    return this.#text;
  }
}
