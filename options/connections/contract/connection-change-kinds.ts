import type { ChangeKinds } from '#shared/contract/described-changes.ts';
import { describeGroupRoles, groupRolesText } from './group-roles-text.ts';

/** The members of a connection that Changes record under the same name. */
const plain = [
  'kind',
  'issuer',
  'audience',
  'trustsUserHeader',
  'clients',
  'userIdClaim',
  'userIdAttribute',
  'takeover',
] as const;

/** The Changes of connections, which no application reads. */
export const connectionChangeKinds = {
  operatorActions: {
    'connection.created': 'Connection created',
    'connection.updated': 'Connection updated',
    'connection.deleted': 'Connection deleted',
  },
  stateIn: (item) => ({
    ...Object.fromEntries(plain.flatMap((name) => (name in item ? [[name, item[name]]] : []))),
    ...listsIn(item),
  }),
  labels: { userIdAttribute: 'User ID', takeover: 'Existing users', groupRoles: 'Roles of groups' },
  harmless: [...plain, 'applications', 'groupRoles'],
  personal: [],
  describe: { groupRoles: describeGroupRoles },
} as const satisfies ChangeKinds;

/** A list in a Change is a text; only a directory has groups. */
function listsIn({ kind, applications, groupRoles }: Readonly<Record<string, unknown>>) {
  return {
    applications: Array.isArray(applications) ? applications.join(' ') : applications,
    ...(Array.isArray(groupRoles) && kind === 'scim' && { groupRoles: groupRolesText(groupRoles) }),
  };
}
