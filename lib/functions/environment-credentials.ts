/**
 * Replaces the SDK's default credential chain inside a Lambda bundle. Lambda gives a function its role's credentials in
 * environment variables and nowhere else (Lambda guide, "Defined runtime environment variables"), so the chain's files,
 * SSO and metadata services would be 135 KB of code that is loaded and never used. The provider reads the environment
 * each time the SDK asks for credentials.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
