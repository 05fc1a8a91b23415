import * as v from 'valibot';
import { actions, changeRecord, end, recorded, sometimes } from '#shared/contract/change-states.ts';
import { appIdSchema } from '#shared/contract/fields.ts';
import { clientTypes } from './login-values.ts';

/** Only what was changed; everything is `null` of an application without a login. */
const loginStateSchema = recorded(
  sometimes({
    clientType: v.nullable(v.picklist(clientTypes)),
    redirectUris: v.nullable(v.string()),
    logoutUris: v.nullable(v.string()),
    secretAddedAt: end,
  }),
);

/** What logins add to the types of the SDK. */
export const loginTypes = {
  changes: {
    LoginChange: v.strictObject({
      ...changeRecord,
      action: actions('login.changed', 'login.deleted', 'login.secret.added'),
      appId: appIdSchema,
      before: loginStateSchema,
      after: loginStateSchema,
    }),
  },
  answers: {},
  inputs: {},
  comments: { LoginChange: "The application's login was set, changed or deleted, or a secret added." },
} as const;
