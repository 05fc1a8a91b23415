export {
  type AccessSetting,
  AuthServiceClient,
  type CallOptions,
  type ChangePage,
  type ChangesOptions,
  type Grant,
  type WriteOptions,
} from './auth-service-client.ts';
export {
  AuthServiceError,
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
export type { ApiKey, SigningKey } from './client-key.ts';
export type { AuthServiceClientOptions } from './create-send.ts';
export type { Access, Change, ChangeAction, ChangedAccess, ChangeSide } from './service-contract.ts';
export { type SigningOptions, signRequest } from './sign-request.ts';
