import { ServiceError } from '#shared/core/errors.ts';

/** What is wrong with a request that is answered 400 (RFC 7644 section 3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany';

/** The error for a request that SCIM does not allow, or that this service does not understand: 400 with this type. */
export function scimError(scimType: ScimType, detail: string): ServiceError {
  return new ServiceError('invalid_request', { detail, members: { scimType } });
}
