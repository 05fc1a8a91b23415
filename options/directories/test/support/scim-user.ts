import { ServiceError } from '#shared/core/errors.ts';
import type { DirectoryUserState } from '../../scim/directory.ts';
import { enterpriseSchema } from '../../scim/user-schema.ts';

/** A user of a directory with an attribute of each form. */
export const ada: DirectoryUserState = {
  userName: 'ada@example.com',
  externalId: 'e1',
  active: true,
  attributes: {
    name: { familyName: 'Lovelace', givenName: 'Ada' },
    displayName: 'Ada Lovelace',
    emails: [
      { value: 'ada@example.com', type: 'work', primary: true },
      { value: 'ada@home.example', type: 'home' },
    ],
    [enterpriseSchema.id]: { department: 'Research', manager: { value: 'grace' } },
  },
};

/** The type of the 400 that something is refused with. */
export function refusal(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof ServiceError) return error.options.members?.scimType;
    throw error;
  }
}
