/** The CDK constructs that other CDK apps use: the package `@auth-service/cdk`. */
export { AuthService, type AuthServiceAttributes, type IAuthService } from './auth-service.ts';
export type { AuthServiceProps } from './auth-service-props.ts';
