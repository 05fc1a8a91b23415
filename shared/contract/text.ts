import * as v from 'valibot';

/** Text for people, of 1 to so many characters; half a surrogate pair is no text, and DynamoDB cannot keep it. */
// @__NO_SIDE_EFFECTS__
export function textSchema(maxLength: number) {
  return v.pipe(
    v.string('must be a string'),
    v.minLength(1, 'must not be empty; leave it out instead'),
    v.check((text) => text.isWellFormed(), 'must be well-formed Unicode'),
    v.check((text) => [...text].length <= maxLength, `must be at most ${maxLength} characters`),
    // JSON Schema counts as this does (2020-12 validation, section 6.3.1).
    v.metadata({ maxLength }),
  );
}
