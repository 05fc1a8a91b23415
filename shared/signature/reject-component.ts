import { malformed } from './signature-error.ts';

const derivedComponents: ReadonlySet<string> = new Set(['@method', '@authority', '@path', '@query']);
const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Refuses a covered component that this profile does not take: RFC 9421 section 2.1 for headers, 2.2 for derived ones. */
export function rejectComponent(name: string): void {
  if (derivedComponents.has(name)) return;
  if (name.startsWith('@')) throw refused(name, 'is not supported; derived are @method, @authority, @path, @query');
  if (!headerNamePattern.test(name)) throw refused(name, 'is not the name of a header');
  if (name !== name.toLowerCase()) throw refused(name, 'must be in lower case');
  if (name === 'signature' || name === 'signature-input') throw refused(name, 'cannot cover the signature itself');
  // A proxy may write these between signer and server, so a signature over them promises nothing.
  if (name === 'forwarded' || name.startsWith('x-forwarded-')) throw refused(name, 'belongs to proxies');
}

function refused(name: string, why: string): Error {
  return malformed(`Signature-Input: component "${name}" ${why}`);
}
