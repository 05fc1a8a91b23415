/** The CDK constructs that other CDK apps use: the package `@auth-service/cdk`. */
export {
  AccessApplication,
  type AccessApplicationProps,
  type ApplicationLogin,
  type ApplicationRole,
  type KeyScope,
} from './access-application/access-application.ts';
export { AuthService, type AuthServiceAttributes, type IAuthService, type OperatorRole } from './service-construct.ts';
export type { AuthServiceProps } from './settings/auth-service-props.ts';
