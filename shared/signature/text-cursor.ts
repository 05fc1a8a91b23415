import { malformed } from './signature-error.ts';

/** A position in one header's text, moved forward by canonical RFC 8941 section 4.1 tokens and never back. */
export class TextCursor {
  readonly field: string;
  readonly text: string;
  at = 0;

  constructor(field: string, text: string) {
    this.field = field;
    this.text = text;
  }

  get ended(): boolean {
    return this.at === this.text.length;
  }

  sees(literal: string): boolean {
    return this.text.startsWith(literal, this.at);
  }

  skip(literal: string): boolean {
    if (!this.sees(literal)) return false;
    this.at += literal.length;
    return true;
  }

  expect(literal: string): void {
    if (!this.skip(literal)) throw this.unexpected(`"${literal}"`);
  }

  /** Takes what a sticky pattern matches here, or refuses the header saying what was expected where. */
  take(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) throw this.unexpected(expected);
    const token = this.text.slice(this.at, pattern.lastIndex);
    this.at = pattern.lastIndex;
    return token;
  }

  unexpected(expected: string): Error {
    return malformed(`${this.field}: expected ${expected} at position ${this.at}`);
  }
}

/** A key in the grammar of RFC 8941 section 3.1.2. */
export const keyPattern = /[a-z*][a-z0-9_.*-]*/y;

/** A string in the one spelling that RFC 8941 section 4.1.6 serialises: only the quote and the backslash are escaped. */
export const stringPattern = /"(?:[ !#-[\]-~]|\\["\\])*"/y;

/** An integer of at most 15 digits in the one spelling that RFC 8941 section 4.1.4 serialises, negatives left out. */
export const integerPattern = /(?:0|[1-9][0-9]{0,14})(?![0-9])/y;
