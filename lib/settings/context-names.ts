/** Everything of this service in a file of the CDK's context stands under this name; the other names belong to others. */
export const contextName = 'auth-service';

/** What a name on the command line may begin with. */
export const prefix = `${contextName}:`;

/** What deployments give under the service's name: no settings, because they depend on what is deployed. */
export const deploymentContext = {
  /** What a stack adopts. */
  adopt: `${prefix}adopt`,
  /** A step in which `npm run deploy` switches to another table or other root keys. */
  transition: `${prefix}transition`,
  /** The account's quota of concurrent executions. */
  accountConcurrency: `${prefix}account-concurrency`,
  /** The settings whose losses the operator has confirmed, separated by commas. */
  confirmChange: `${prefix}confirm-change`,
} as const;
