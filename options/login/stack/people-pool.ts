import { Duration, SecretValue, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  FeaturePlan,
  LambdaVersion,
  ManagedLoginVersion,
  Mfa,
  PasskeyUserVerification,
  ProviderAttribute,
  StringAttribute,
  UserPool,
  UserPoolIdentityProviderOidc,
  UserPoolIdentityProviderSaml,
  UserPoolIdentityProviderSamlMetadata,
  UserPoolOperation,
} from 'aws-cdk-lib/aws-cognito';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IDependable } from 'constructs';
import type { LoginProvider } from '#lib/settings/login-of-people.ts';
import { stackSuffix } from '#lib/settings/stack-suffix.ts';
import { removalPolicyOf, type Stage } from '#lib/settings/stages.ts';
import { providerAttributes } from '../cognito/company-provider.ts';

export interface PeoplePoolProps {
  readonly stage: Stage;
  /** Decides before each token. */
  readonly decide: IFunction;
  /** The name of the service in e-mails. Default: none. */
  readonly serviceName?: string | undefined;
  /** The provider of a company, and what gives people an account when they log in there for the first time. Default: none. */
  readonly company?: { readonly provider: LoginProvider; readonly signUp: IFunction } | undefined;
}

/**
 * The user pool in which people log in, apart from that of the operators: passwords, passkeys and authenticator apps as Cognito offers
 * them, nobody signs up, and a function decides before each token.
 */
export class PeoplePool extends Construct {
  readonly pool: UserPool;
  /** The issuer of its tokens. */
  readonly issuer: string;
  /** The URL of its pages. */
  readonly pages: string;
  /** What the pool must have before a client can name it. */
  readonly provider: IDependable | undefined;

  constructor(scope: Construct, id: string, { stage, decide, company, serviceName }: PeoplePoolProps) {
    super(scope, id);
    this.pool = this.#createPool(stage, serviceName);
    this.pool.addTrigger(UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG, decide, LambdaVersion.V2_0);
    this.issuer = this.pool.userPoolProviderUrl;
    const pages = this.pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: `auth-login-${stackSuffix()}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    this.pages = pages.baseUrl();
    if (company === undefined) return;
    this.pool.addTrigger(UserPoolOperation.PRE_SIGN_UP, company.signUp);
    this.provider = this.#createProvider(company.provider);
  }

  #createProvider(provider: LoginProvider): IDependable {
    const { pool: userPool } = this;
    const { name } = provider;
    if ('metadataUrl' in provider) {
      const { metadataUrl, emailAttribute } = provider;
      const metadata = UserPoolIdentityProviderSamlMetadata.url(metadataUrl);
      const attributeMapping = mappingOf({ email: emailAttribute });
      return new UserPoolIdentityProviderSaml(this, 'Company', { userPool, name, metadata, attributeMapping });
    }
    const { issuer: issuerUrl, clientId, clientSecretArn } = provider;
    return new UserPoolIdentityProviderOidc(this, 'Company', {
      userPool,
      name,
      issuerUrl,
      clientId,
      // A reference that CloudFormation resolves: the template has no secret.
      clientSecret: SecretValue.secretsManager(clientSecretArn).unsafeUnwrap(),
      scopes: ['openid', 'email'],
      attributeMapping: mappingOf({ subject: 'sub', email: 'email', isVerified: 'email_verified' }),
    });
  }

  /**
   * The name of an account is the id of the user, with `#` in place of `@`, and people log in by their e-mail address. Names and
   * addresses ignore case; the id itself, and when its user was created, are attributes that no client can change. Cognito links nobody
   * who has one that cannot be changed at all.
   */
  #createPool(stage: Stage, serviceName: string | undefined): UserPool {
    const pool = new UserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      // Cognito refuses a text without both.
      userInvitation: {
        emailSubject: serviceName === undefined ? 'You are invited' : `You are invited to ${serviceName}`,
        emailBody:
          'Log in at your application with this e-mail address and the temporary password {####}, which is valid for 7 days. Your account is {username}.',
      },
      ...(serviceName !== undefined && { userVerification: { emailSubject: `Your code for ${serviceName}` } }),
      signInAliases: { username: true, email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      customAttributes: {
        user_id: new StringAttribute({ mutable: true, maxLen: 256 }),
        user_created_at: new StringAttribute({ mutable: true, maxLen: 32 }),
        ...Object.fromEntries(
          Object.values(providerAttributes).map((name) => [
            name.replace('custom:', ''),
            new StringAttribute({ mutable: true, maxLen: 2048 }),
          ]),
        ),
      },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      signInPolicy: { allowedFirstAuthFactors: { password: true, passkey: true } },
      passkeyUserVerification: PasskeyUserVerification.REQUIRED,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: false,
        tempPasswordValidity: Duration.days(7),
      },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: stage.keepsData,
      removalPolicy: removalPolicyOf(stage),
    });
    Validations.of(pool).acknowledge(
      {
        id: 'AwsSolutions-COG1',
        reason: 'Twelve characters of three kinds; symbols add little, and passkeys are offered (NIST SP 800-63B).',
      },
      {
        id: 'AwsSolutions-COG2',
        reason: 'People choose a second factor or a passkey themselves; nobody can be forced to own a device.',
      },
      { id: 'AwsSolutions-COG8', reason: 'The Plus plan costs a fee for each person.' },
    );
    return pool;
  }
}

/** The claims of a provider by our names for the attributes of the pool. */
function mappingOf(claims: Partial<Record<keyof typeof providerAttributes, string>>) {
  const custom = Object.entries(claims).map(([key, claim]) => [
    providerAttributes[key as keyof typeof providerAttributes],
    ProviderAttribute.other(claim),
  ]);
  return { custom: Object.fromEntries(custom) };
}
