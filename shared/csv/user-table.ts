import { fieldNames } from '#shared/contract/field-forms.ts';
import type { UserView } from '#shared/contract/user.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { createCsv } from './write-csv.ts';

/** Users as CSV, in the columns that an import of users reads, with the time of creation. */
export const userTable = createCsv<UserView>([
  { title: 'userId', cell: ({ userId }) => userId },
  ...fieldNames(userFields).map((title) => ({ title, cell: (user: UserView) => user[title] ?? '' })),
  { title: 'status', cell: ({ status }) => status },
  { title: 'createdAt', cell: ({ createdAt }) => createdAt },
]);

/** A file of users. */
export function createUserFile(users: readonly UserView[]): string {
  return userTable.head + userTable.lines(users);
}
