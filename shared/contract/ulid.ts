/** The alphabet of ULIDs (github.com/ulid/spec). */
export const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID whose time a `Date` can have. */
export const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The time of a ULID, in milliseconds since the epoch. */
export function timeOfUlid(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + crockford.indexOf(digit), 0);
}
