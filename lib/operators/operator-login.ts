import { Aws, type CfnResource, Duration, Lazy, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  CfnUserPoolGroup,
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
import { manageScope } from '#shared/contract/operation.ts';
import { type OperatorRole, operatorRoles } from '#shared/contract/operator-role.ts';
import { adoptionMetadata } from '../settings/adoption.ts';
import type { OperatorTokens } from '../settings/login-settings.ts';
import { stackSuffix } from '../settings/stack-suffix.ts';
import { removalPolicyOf, type Stage } from '../settings/stages.ts';

export interface OperatorLoginProps {
  readonly stage: Stage;
  /** The URLs to which a login may return; compared exactly. */
  readonly dashboardUrls: readonly string[];
  /** Whether there is a URL to return to, given here or by `addReturnUrls`; without one there is no login page. */
  readonly hasPages: boolean;
  /** The id of the existing user pool that the stack imports as its own. Default: none. */
  readonly adoptedId?: string | undefined;
}

/** A Cognito user pool for operators, invited by an administrator, and the dashboard's client for its login pages. */
export class OperatorLogin extends Construct implements OperatorTokens {
  readonly issuer: string;
  /**
   * The client's id: Cognito's access tokens have no `aud`, and then API Gateway compares the `client_id`.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-troubleshooting-jwt.html
   */
  readonly audience: string;
  /** The origins from which a browser fetches the provider's configuration and tokens. */
  readonly origins: readonly string[];
  readonly #returnUrls: string[];

  constructor(scope: Construct, id: string, props: OperatorLoginProps) {
    super(scope, id);
    const pool = this.#createPool(props.stage);
    if (props.adoptedId !== undefined) {
      (pool.node.defaultChild as CfnResource).addMetadata(adoptionMetadata, { UserPoolId: props.adoptedId });
    }
    this.#addGroups(pool);
    const pages = this.#addLoginPages(pool, `auth-service-${stackSuffix()}`);
    this.#returnUrls = [...props.dashboardUrls];
    const client = this.#addDashboardClient(pool, props);
    this.issuer = pool.userPoolProviderUrl;
    this.audience = client.userPoolClientId;
    this.origins = [`https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}`, pages.baseUrl()];
  }

  /** Adds URLs to which a login may return. They may depend on the login pages, but not on the client. */
  addReturnUrls(urls: readonly string[]): void {
    this.#returnUrls.push(...urls);
  }

  /**
   * Requires a second factor, because an operator can issue keys to every application: an authenticator app, which is free
   * and, unlike a telephone number, cannot be taken over.
   */
  #createPool(stage: Stage): UserPool {
    const pool = new UserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // A new address is used only after verification, so that the history never shows an operator under someone else's
      // address.
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
      reason:
        'The Plus plan costs a fee for each operator; without sign-up and with a second factor it would add little.',
    });
    return pool;
  }

  /**
   * Creates a group for each role. Groups for single applications, such as `support:billing`, are added where operators are
   * invited.
   */
  #addGroups({ userPoolId }: UserPool): void {
    for (const [precedence, groupName] of operatorRoles.toReversed().entries()) {
      new CfnUserPoolGroup(this, groupName, {
        userPoolId,
        groupName,
        precedence,
        description: descriptions[groupName],
      });
    }
  }

  #addLoginPages(pool: UserPool, domainPrefix: string): UserPoolDomain {
    return pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
  }

  /**
   * A public client, because a browser cannot keep a secret, with the code grant, PKCE, and single-use refresh tokens that are
   * valid for 12 hours. Access tokens are short-lived, because API Gateway does not check whether they were revoked.
   */
  #addDashboardClient(pool: UserPool, { hasPages }: OperatorLoginProps): UserPoolClient {
    const urls = Lazy.list({ produce: () => this.#returnUrls });
    const client = new UserPoolClient(this, 'Dashboard', {
      userPool: pool,
      generateSecret: false,
      // Used by the login pages. A token obtained through it directly does not contain the Management API's scope.
      authFlows: { userSrp: true },
      ...(hasPages
        ? {
            oAuth: {
              flows: { authorizationCodeGrant: true },
              scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.custom(manageScope)],
              callbackUrls: urls,
              logoutUrls: urls,
            },
          }
        : // Cognito refuses the code grant without a URL to return to.
          { disableOAuth: true }),
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      accessTokenValidity: Duration.minutes(15),
      idTokenValidity: Duration.minutes(15),
      refreshTokenValidity: Duration.hours(12),
      // For a browser that lost the response and retries.
      refreshTokenRotationGracePeriod: Duration.seconds(10),
    });
    client.node.addDependency(this.#addScope(pool));
    this.#addLoginStyle(pool, client);
    return client;
  }

  #addScope(pool: UserPool): UserPoolResourceServer {
    const [identifier = '', scopeName = ''] = manageScope.split('/');
    const scopeDescription = 'Manage users, applications, keys and roles';
    return pool.addResourceServer('Scopes', { identifier, scopes: [{ scopeName, scopeDescription }] });
  }

  /** Managed login shows no page for a client without a style; this is Cognito's default style. */
  #addLoginStyle(pool: UserPool, client: UserPoolClient): void {
    new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
  }
}

const descriptions: Readonly<Record<OperatorRole, string>> = {
  viewer: 'Sees users, applications and their history; so does an operator without a group',
  support: 'Also sets status and access, and assigns roles to users',
  admin: 'May do everything',
};
