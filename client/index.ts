export { AuthServiceClient } from './auth-service-client.ts';
export type { CircuitOptions } from './circuit.ts';
export {
  AuthServiceError,
  type ClientErrorCode,
  type ErrorClass,
  type ErrorCode,
  type Failure,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  SignatureError,
  UnavailableError,
  UnexpectedAnswerError,
  VersionMismatchError,
} from './client-error.ts';
export type { ClientHooks, RequestEvent, ResponseEvent, RetryEvent } from './client-hooks.ts';
export type {
  CallOptions,
  ChangePage,
  ChangesOptions,
  WriteOptions,
} from './client-interface.ts';
export type { ApiKey, KeySource, SigningKey } from './client-key.ts';
export type { AuthServiceClientOptions, ClientSettings, KeyOption } from './create-send.ts';
export type {
  Access,
  AccessChange,
  AccessReview,
  AccessSetting,
  ApplicationChange,
  Change,
  ChangeAction,
  ChangedAccess,
  ChangeRecord,
  CheckedAccess,
  Grant,
  KeyIssue,
  KeyRevocation,
  KeyRotation,
  KeyUpdate,
  Revocation,
  RoleChange,
  RoleDefinitionChange,
  UnknownUser,
  UserCreation,
  UserDeletion,
  UserStatusChange,
} from './service-contract.ts';
export { type SigningOptions, signRequest } from './sign-request.ts';
