export {
  type AccessSetting,
  AuthServiceClient,
  type CallOptions,
  type ChangePage,
  type ChangesOptions,
  type Grant,
  type WriteOptions,
} from './auth-service-client.js';
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
} from './client-error.js';
export type { ApiKey, SigningKey } from './client-key.js';
export type { AuthServiceClientOptions } from './create-send.js';
export type { Access, Change, ChangeAction, ChangedAccess, ChangeSide } from './service-contract.js';
export { type SigningOptions, signRequest } from './sign-request.js';
