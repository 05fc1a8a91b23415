import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatTime } from '#cli/terminal/format-time.ts';
import { type Column, recordLines } from '#cli/terminal/print-table.ts';
import type { ConnectionView } from '../contract/connection.ts';
import type { ConnectionActivity, RefusedRequest } from '../contract/connection-activity.ts';
import { userIdAttributes } from '../contract/connection-fields.ts';

/** What is set of a directory; absent for another kind. */
export interface DirectoryOptions {
  readonly userId?: (typeof userIdAttributes)[number];
  readonly takeOver?: boolean;
  readonly groupRole?: GroupRoles | 'none';
}

type GroupRoles = ConnectionView['groupRoles'];

/** Adds the options of a directory that can be changed later. */
export function addDirectory(command: Command): Command {
  return command
    .option('--take-over', 'of a directory: it takes over existing users with a matching id')
    .option('--no-take-over', 'of a directory: an existing user is a conflict (default)')
    .addOption(groupRoleOption());
}

/** `--user-id`, which never changes. */
export function userIdOption(): Option {
  const description = 'of a directory: attribute that becomes the user id, which never changes';
  return new Option('--user-id <attribute>', description).choices(userIdAttributes);
}

function groupRoleOption(): Option {
  const description =
    'of a directory: role that a group assigns, as group=app:role; repeat the option for several; "none" for no mapping';
  return new Option('--group-role <mapping>', description).argParser((text, earlier: GroupRoles | 'none' = []) => {
    if (text === 'none') return text;
    const [, group, appId, role] = /^(.+)=([^=:]+):([^=]+)$/.exec(text) ?? [];
    if (!group || !appId || !role) {
      throw new InvalidArgumentError('It must be group=app:role, such as Editors=billing:editor, or none.');
    }
    return [...(earlier === 'none' ? [] : earlier), { group, appId, role }];
  });
}

/** The members of a request that the options set; undefined keeps a value. */
export function directorySettings({ takeOver, groupRole }: DirectoryOptions) {
  const takeover = takeOver === undefined ? undefined : takeOver ? ('matching' as const) : ('none' as const);
  return { takeover, groupRoles: groupRole === 'none' ? [] : groupRole };
}

/** The applications in which groups assign roles: those of a new directory, unless others are named. */
export function applicationsOf({ groupRole = [] }: DirectoryOptions): string[] {
  return groupRole === 'none' ? [] : [...new Set(groupRole.map(({ appId }) => appId))];
}

/** The lines that show what is set of a directory. */
export function directoryLines({ userIdAttribute, takeover, groupRoles }: ConnectionView) {
  return [
    ['user id', userIdAttribute ?? '-'],
    ['existing users', takeover === 'matching' ? 'taken over if the id matches' : 'not taken over'],
    ...groupRoles.map(({ group, appId, role }) => [`group ${group}`, `${role} in ${appId}`] as const),
  ] as const;
}

/** What a directory sent in the last 24 hours, for people. */
export function activityLines({ lastRequestAt, requests, refused }: ConnectionActivity): string[] {
  return recordLines([
    ['last request', lastRequestAt === null ? 'none' : formatTime(lastRequestAt)],
    ['requests', String(requests)],
    ['refused', String(refused)],
  ]);
}

export const refusalColumns: readonly Column<RefusedRequest>[] = [
  { title: 'WHEN', cell: ({ at }) => formatTime(at) },
  { title: 'REQUEST', isText: true, cell: ({ method, path }) => `${method} ${path}` },
  { title: 'STATUS', cell: ({ status }) => String(status) },
  { title: 'TYPE', cell: ({ scimType }) => scimType ?? '' },
  { title: 'REASON', isText: true, cell: ({ detail }) => detail },
];
