import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { documentationOf } from '#shared/contract/documents.ts';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type { ManageOperation, Operation, ServiceOperation } from '#shared/contract/operation.ts';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';

/** An operation's record with its documentation. */
export interface DescribedOperation
  extends Operation,
    Partial<Pick<ServiceOperation, 'scope' | 'writes'>>,
    Partial<Pick<ManageOperation, 'role' | 'forLimited'>> {
  readonly documentation: OperationDocumentation;
}

/** Both APIs in the order of their records. */
export const operations: readonly DescribedOperation[] = [
  ...Object.values<Operation>(serviceOperations),
  ...Object.values<Operation>(manageOperations),
].map((operation) => ({ ...operation, documentation: documentationOf(operation) }));

/** The errors that any caller of the API can get. */
const ofManagement = ['invalid_request', 'internal', 'unavailable'] as const satisfies readonly ErrorCode[];
const ofService = [
  ...ofManagement,
  'signature_missing',
  'signature_malformed',
  'component_missing',
  'clock_skew',
  'signature_mismatch',
  'digest_mismatch',
  'key_revoked',
  'key_expired',
  'scope_missing',
  'address_not_allowed',
] as const satisfies readonly ErrorCode[];
const ofBodies = ['malformed_json', 'body_too_large', 'unsupported_media_type'] as const satisfies readonly ErrorCode[];

/** All error codes of an operation, in the order of the catalogue. */
export function codesOf(operation: DescribedOperation): ErrorCode[] {
  const { method, path, body, scope, writes, ifMatch, errors } = operation;
  const all = new Set<ErrorCode>([
    ...errors,
    ...(scope === undefined ? ofManagement : ofService),
    ...(writes === true ? (['nonce_replayed'] as const) : []),
    ...(scope === undefined && method !== 'GET' ? (['idempotency_key_reused'] as const) : []),
    ...(isForEveryOperator(operation) ? [] : (['role_required'] as const)),
    ...(body === undefined ? [] : ofBodies),
    ...(ifMatch ? (['version_mismatch'] as const) : []),
    // An id with an encoded slash leads to another path, as API Gateway decodes it first.
    ...(path.includes('{') ? (['route_not_found'] as const) : []),
  ]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => all.has(code));
}

/** Every operator is a viewer of at least one application. */
function isForEveryOperator({ scope, role, forLimited }: DescribedOperation): boolean {
  return scope !== undefined || (role === 'viewer' && forLimited !== undefined);
}
