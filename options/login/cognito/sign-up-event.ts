/**
 * The event of the pre sign-up trigger.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-sign-up.html
 */
export interface SignUpEvent {
  readonly triggerSource: string;
  readonly userPoolId: string;
  readonly userName: string;
  readonly request: { readonly userAttributes?: Readonly<Record<string, string>> };
  readonly response: object;
}
