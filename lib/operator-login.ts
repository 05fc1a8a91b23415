import { Aws, Duration, Fn, Lazy, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  type UserPoolDomain,
  type UserPoolResourceServer,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { manageScope } from '#shared/contract/manage-routes.ts';
import type { OperatorTokens } from './manage-api.ts';
import { removalPolicyOf, type Stage } from './stages.ts';

export interface OperatorLoginProps {
  readonly stage: Stage;
  /** Where the dashboard is, and so where a login may return to, character by character. */
  readonly dashboardUrls: readonly string[];
  /** First label of the login pages' host name, unique in the region. Default: made from the stack's id, so unique. */
  readonly loginDomainPrefix?: string | undefined;
}

/** A Cognito user pool for operators, whom an administrator invites, and the dashboard's client of its login pages. */
export class OperatorLogin extends Construct implements OperatorTokens {
  readonly issuer: string;
  /**
   * The client's id: Cognito's access tokens have no `aud`, and then API Gateway compares the `client_id`.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-troubleshooting-jwt.html
   */
  readonly audience: string;
  /** Where a browser asks for the provider's settings, and for tokens. */
  readonly origins: readonly string[];
  readonly #returnUrls: string[];

  constructor(scope: Construct, id: string, props: OperatorLoginProps) {
    super(scope, id);
    const pool = this.#createPool(props.stage);
    const pages = this.#addLoginPages(pool, props.loginDomainPrefix ?? prefixOfThisStack());
    this.#returnUrls = [...props.dashboardUrls];
    const client = this.#addDashboardClient(pool);
    this.issuer = pool.userPoolProviderUrl;
    this.audience = client.userPoolClientId;
    this.origins = [`https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}`, pages.baseUrl()];
  }

  /** Lets a login return to other addresses too, which may name what needs the login pages but not what needs the client. */
  returnTo(urls: readonly string[]): void {
    this.#returnUrls.push(...urls);
  }

  /**
   * A second factor is required: an operator can issue keys to every application. It is an authenticator app, which
   * costs nothing and cannot be lost with a telephone number.
   */
  #createPool(stage: Stage): UserPool {
    const pool = new UserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // A new address counts once it is verified, so that nobody goes into the history under another's.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: stage.keepsData,
      removalPolicy: removalPolicyOf(stage),
    });
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason: 'The plus plan is paid for each operator; without sign-up and with a second factor it would add little.',
    });
    return pool;
  }

  #addLoginPages(pool: UserPool, domainPrefix: string): UserPoolDomain {
    return pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
  }

  /**
   * A page in a browser keeps no secret, so the client has none: the code grant with PKCE, and refresh tokens for a
   * working day, each good for one use. Access tokens are short because API Gateway asks nobody whether one still holds.
   */
  #addDashboardClient(pool: UserPool): UserPoolClient {
    const urls = Lazy.list({ produce: () => this.#returnUrls });
    const client = new UserPoolClient(this, 'Dashboard', {
      userPool: pool,
      generateSecret: false,
      // The login pages' own. A token got by it without them holds no scope of ours.
      authFlows: { userSrp: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.custom(manageScope)],
        callbackUrls: urls,
        logoutUrls: urls,
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      accessTokenValidity: Duration.minutes(15),
      idTokenValidity: Duration.minutes(15),
      refreshTokenValidity: Duration.hours(12),
      // For a browser that lost the answer and asks again.
      refreshTokenRotationGracePeriod: Duration.seconds(10),
    });
    client.node.addDependency(this.#addScope(pool));
    this.#dressLoginPages(pool, client);
    return client;
  }

  #addScope(pool: UserPool): UserPoolResourceServer {
    const [identifier = '', scopeName = ''] = manageScope.split('/');
    const scopeDescription = 'Manage users, applications, keys and roles';
    return pool.addResourceServer('Scopes', { identifier, scopes: [{ scopeName, scopeDescription }] });
  }

  /** Managed login shows no page to a client without a style; this is Cognito's own. */
  #dressLoginPages(pool: UserPool, client: UserPoolClient): void {
    new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
  }
}

/** The last part of the UUID in the stack's id: twelve hexadecimal digits, which no other stack has. */
function prefixOfThisStack(): string {
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `auth-service-${Fn.select(4, Fn.split('-', uuid))}`;
}
