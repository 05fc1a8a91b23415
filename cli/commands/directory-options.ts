import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ConnectionView } from '#shared/contract/connection.ts';
import type { ConnectionActivity, RefusedRequest } from '#shared/contract/directory-activity.ts';
import { appIdPattern, roleNamePattern } from '#shared/contract/fields.ts';
import { takeovers, userIdAttributes } from '#shared/contract/resource-fields.ts';
import { formatTime } from '../terminal/format-time.ts';
import { type Column, recordLines } from '../terminal/print-table.ts';

export interface DirectoryOptions {
  readonly takeover?: (typeof takeovers)[number];
  readonly group?: readonly GroupOption[] | 'none';
}

type GroupOption = ConnectionView['groupRoles'][number];

/** `--user-id`, which a new connection of the kind `scim` needs. */
export function userIdOption(): Option {
  return new Option(
    '--user-id <attribute>',
    'of a directory: which attribute of its users becomes the user id; it never changes',
  ).choices(userIdAttributes);
}

/** Adds the options of a directory, which a connection of the kind `scim` is. */
export function addDirectoryOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--takeover <which>',
        'of a directory: whether it takes over users who exist: none, or matching user ids that no other directory owns',
      ).choices(takeovers),
    )
    .addOption(
      new Option(
        '--group <group=app:role>',
        'of a directory: role that the members of a group get; repeat the option for several, or "none"',
      ).argParser(addGroup),
    );
}

function addGroup(text: string, earlier: DirectoryOptions['group']): DirectoryOptions['group'] {
  if (text === 'none') return 'none';
  // A group may have any name, so the last `=` counts.
  const [, group = '', appId = '', role = ''] = /^(.+)=([^=:]+):([^=]+)$/.exec(text) ?? [];
  if (group === '' || !appIdPattern.test(appId) || !roleNamePattern.test(role)) {
    throw new InvalidArgumentError('It must be such as Editors=billing:editor.');
  }
  return [...(earlier === 'none' ? [] : (earlier ?? [])), { group, appId, role } as GroupOption];
}

/** The members of a request that say the same; undefined keeps a value. */
export function directoryBody({ takeover, group }: DirectoryOptions) {
  return { takeover, groupRoles: group === 'none' ? [] : group };
}

/** The applications in which groups give roles. */
export function applicationsOf({ group }: DirectoryOptions): string[] {
  return group === undefined || group === 'none' ? [] : [...new Set(group.map(({ appId }) => appId))];
}

/** What is set of a directory, for people. */
export function directoryLines({ userIdAttribute, takeover, groupRoles }: ConnectionView): [string, string][] {
  return [
    ['user id', userIdAttribute ?? ''],
    ['takeover', takeover ?? 'none'],
    ['groups', groupRoles.map(({ group, appId, role }) => `${group}=${appId}:${role}`).join(', ') || 'none'],
  ];
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
  { title: 'REQUEST', cell: ({ method, path }) => `${method} ${path}` },
  { title: 'STATUS', cell: ({ status }) => String(status) },
  { title: 'TYPE', cell: ({ scimType }) => scimType ?? '' },
  { title: 'REASON', cell: ({ detail }) => detail },
];
