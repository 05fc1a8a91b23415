import * as v from 'valibot';

/** What a part of the local part consists of (`atext` in RFC 5322 section 3.2.3), with letters of any script (RFC 6531). */
const atom = String.raw`[\w!#$%&'*+/=?^{|}~\x60\-\p{L}\p{M}\p{N}]+`;
/** A label of a domain, in ASCII as `xn--mller-kva` or in the letters that people write (RFC 5890). */
const label = String.raw`[a-z\d\p{L}\p{M}\p{N}](?:[a-z\d\p{L}\p{M}\p{N}\-·・]{0,61}[a-z\d\p{L}\p{M}\p{N}])?`;
const mailbox = new RegExp(String.raw`^(${atom}(?:\.${atom})*)@${label}(?:\.${label})*$`, 'iu');

/** RFC 5321 sections 4.5.3.1.1 and 4.5.3.1.3: octets, and a path has two angle brackets around the address. */
const maxLocalBytes = 64;
const maxAddressBytes = 254;

/**
 * Whether a text is the address of a mailbox (RFC 5321, with the letters of RFC 6531). Quoted strings such as `"a b"@example.com`
 * and addresses of hosts such as `a@[192.0.2.1]` are valid there, but no mailbox that people use has them.
 */
export function isEmailAddress(text: string): boolean {
  const [, local] = mailbox.exec(text) ?? [];
  return local !== undefined && bytesOf(local) <= maxLocalBytes && bytesOf(text) <= maxAddressBytes;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/** An e-mail address, kept as it was written. */
export const emailAddressSchema = v.pipe(
  v.string('must be a string'),
  v.check(isEmailAddress, ({ input }) =>
    bytesOf(input) > maxAddressBytes ? `must be at most ${maxAddressBytes} bytes` : 'must be an e-mail address',
  ),
  v.metadata({ format: 'idn-email', maxLength: maxAddressBytes }),
);
