import { deletionSchema } from '#shared/contract/answers.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { DocumentsOf, OperationDocumentation } from '#shared/contract/documentation.ts';
import { exampleTime, pathExamples } from '#shared/contract/examples.ts';
import {
  type addLoginSecretOperation,
  type deleteAccountOperation,
  type deleteLoginOperation,
  type getAccountOperation,
  type getLoginOperation,
  type inviteUserOperation,
  keptSecretQuerySchema,
  setLoginBodySchema,
  type setLoginOperation,
  type signOutUserOperation,
} from './login.ts';
import {
  accountSchema,
  changedAccountSchema,
  changedLoginSchema,
  loginSchema,
  loginSecretSchema,
} from './login-answers.ts';
import type { loginOperations } from './login-contract.ts';

const exampleLogin = {
  appId: pathExamples.appId,
  enabled: true,
  clientType: 'confidential',
  redirectUris: ['https://billing.example.com/callback'],
  logoutUris: ['https://billing.example.com/'],
  clientId: '1example23456789abcdefghij',
  issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_EXAMPLE',
  error: null,
} as const;

const exampleAccount = {
  userId: pathExamples.userId,
  state: 'invited',
  invitedAt: exampleTime,
  signedOutAt: null,
  mfa: [],
  provider: null,
  issuer: exampleLogin.issuer,
  error: null,
} as const;

const getLogin: OperationDocumentation<typeof getLoginOperation> = {
  answer: loginSchema,
  tag: 'Logins',
  summary: 'Read the login of an application',
  description: 'Also while it has none: then `enabled` is false.',
  example: { answer: exampleLogin },
};

const setLogin: OperationDocumentation<typeof setLoginOperation> = {
  answer: changedLoginSchema,
  tag: 'Logins',
  summary: 'Set the login of an application',
  description:
    'People can log in to the application some seconds later, as soon as `clientId` is there: read the login again. Omitted members get their defaults. The kind of client cannot be changed.',
  example: {
    body: {
      clientType: exampleLogin.clientType,
      redirectUris: [...exampleLogin.redirectUris],
      logoutUris: [...exampleLogin.logoutUris],
    },
    answer: { ...exampleLogin, clientId: null, changed: true },
  },
};

const deleteLogin: OperationDocumentation<typeof deleteLoginOperation> = {
  answer: deletionSchema,
  tag: 'Logins',
  summary: 'Delete the login of an application',
  description: 'Nobody gets new tokens for the application. A login that is set again has another client.',
  example: { answer: { changed: true, complete: true } },
};

/** As Cognito makes it, of the client's id and the time. */
const exampleSecretId = `${exampleLogin.clientId}--1796044592000`;

const addLoginSecret: OperationDocumentation<typeof addLoginSecretOperation> = {
  answer: loginSecretSchema,
  tag: 'Logins',
  summary: 'Add a secret to the login of an application',
  description:
    'Only for a confidential client, and only this answer contains the secret. Two are valid at a time: a third one ends the oldest, or, with `?keep=<secretId>`, the one that is not kept. A repetition with the same `Idempotency-Key` adds another secret in place of that of the attempt before, so that a request whose answer was lost can be repeated.',
  example: {
    query: { keep: exampleSecretId },
    answer: {
      clientId: exampleLogin.clientId,
      secretId: exampleSecretId,
      secret: 'shown-only-once-and-never-again',
    },
  },
};

const getAccount: OperationDocumentation<typeof getAccountOperation> = {
  answer: accountSchema,
  tag: 'Logins',
  summary: 'Read the account of a user',
  description: 'Whether the person can log in, and how. A user without an account has the state `none`.',
  example: { answer: exampleAccount },
};

const inviteUser: OperationDocumentation<typeof inviteUserOperation> = {
  answer: changedAccountSchema,
  tag: 'Logins',
  summary: 'Invite a user',
  description:
    "Creates the user's account and sends an invitation to the user's e-mail address, once more if the user has not accepted the last one.",
  example: { answer: { ...exampleAccount, state: 'pending', changed: true } },
};

const signOutUser: OperationDocumentation<typeof signOutUserOperation> = {
  answer: changedAccountSchema,
  tag: 'Logins',
  summary: 'Sign a user out everywhere',
  description:
    'Ends all sessions within seconds; tokens that were issued last for up to five minutes. The user can log in again unless blocked.',
  example: { answer: { ...exampleAccount, state: 'pending', signedOutAt: exampleTime, changed: true } },
};

const deleteAccount: OperationDocumentation<typeof deleteAccountOperation> = {
  answer: deletionSchema,
  tag: 'Logins',
  summary: 'Delete the account of a user',
  description: 'The user stays, with all accesses, but cannot log in until invited again.',
  example: { answer: { changed: true, complete: true } },
};

describeMembers(loginSchema.entries, {
  enabled: 'Whether the application has a login.',
  clientType:
    '`public` for a browser or an installed program, which uses PKCE alone; `confidential` for a backend that also has a secret.',
  redirectUris: 'The addresses to which a login may return; compared exactly.',
  logoutUris: 'The addresses to which a logout may return; compared exactly.',
  clientId: 'The client id of the application at the issuer; `null` until the client has been created.',
  issuer: 'The issuer of the login (OpenID Connect Discovery); `null` if this deployment has no login.',
  error: 'What the provider said when it refused the last change; `null` if it did not.',
});
describeMembers(setLoginBodySchema.entries, {
  clientType: '`public`, the default, or `confidential`.',
  redirectUris: 'From one to 20 addresses: `https`, `http` of localhost, or of a scheme with a dot in it.',
  logoutUris: 'Up to 20 addresses. Default: none.',
});
describeMembers(keptSecretQuerySchema.entries, {
  keep: 'The id of the secret that stays, in place of the newer one.',
});
describeMembers(loginSecretSchema.entries, {
  secretId: 'The id of the secret. Not secret.',
  clientId: 'The client that the secret belongs to.',
  secret: 'The secret. No later answer contains it, and the service does not store it.',
});
describeMembers(accountSchema.entries, {
  state:
    "`none`; `pending` until the provider has the account; `invited` until the person has chosen a password, or logged in at a company's provider; `confirmed`; `disabled` while the user is inactive.",
  invitedAt: 'When the user was last invited; `null` if there is no account.',
  signedOutAt: 'When all sessions were last ended; `null` if they never were.',
  mfa: 'The second factors that the person has set up, such as `SOFTWARE_TOKEN_MFA`.',
  provider: "The name of the company's provider at which the person logs in; `null` before the first login there.",
  issuer: 'The issuer of the login; `null` if this deployment has no login.',
  error: 'What the provider said when it refused the last change, such as that another account has the e-mail address.',
});

/** The documents of the operations for logins and accounts. */
export const loginDocuments: DocumentsOf<typeof loginOperations.manage> = {
  'get-login': getLogin,
  'set-login': setLogin,
  'delete-login': deleteLogin,
  'add-login-secret': addLoginSecret,
  'get-account': getAccount,
  'invite-user': inviteUser,
  'sign-out-user': signOutUser,
  'delete-account': deleteAccount,
};
