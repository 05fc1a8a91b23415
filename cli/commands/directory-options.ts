import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ConnectionView } from '#shared/contract/connection.ts';
import { userIdAttributes } from '#shared/contract/resource-fields.ts';

/** What is set of a directory; absent for another kind. */
export interface DirectoryOptions {
  readonly userId?: (typeof userIdAttributes)[number];
  readonly takeOver?: boolean;
  readonly groupRole?: ConnectionView['groupRoles'];
}

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
  const description = 'of a directory: role that a group assigns, as group=app:role; repeat the option for several';
  return new Option('--group-role <mapping>', description).argParser(
    (text, earlier: ConnectionView['groupRoles'] = []) => {
      const [, group, appId, role] = /^(.+)=([^=:]+):([^=]+)$/.exec(text) ?? [];
      if (!group || !appId || !role)
        throw new InvalidArgumentError('Expected group=app:role, such as Editors=billing:editor.');
      return [...earlier, { group, appId, role }];
    },
  );
}

/** The members of a request that the options set. */
export function directorySettings({ takeOver, groupRole: groupRoles }: DirectoryOptions) {
  const takeover = takeOver === undefined ? undefined : takeOver ? ('matching' as const) : ('none' as const);
  return { takeover, groupRoles };
}

/** The lines that show what is set of a directory. */
export function directoryLines({ userIdAttribute, takeover, groupRoles }: ConnectionView) {
  return [
    ['user id', userIdAttribute ?? '-'],
    ['existing users', takeover === 'matching' ? 'taken over if the id matches' : 'not taken over'],
    ...groupRoles.map(({ group, appId, role }) => [`group ${group}`, `${role} in ${appId}`] as const),
  ] as const;
}
