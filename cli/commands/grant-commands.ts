import type { Command } from 'commander';
import { accessLines } from '../access-lines.ts';
import { appArgument, examples, expiresOption, roleArgument, userArgument } from '../arguments.ts';
import type { CommandContext, ContextProvider } from '../command-context.ts';

/** Adds `grants`: the roles of users. */
export function addGrants(program: Command, { withContext }: ContextProvider): void {
  const grants = program.command('grants').description('assign roles to users and revoke them');

  grants
    .command('assign')
    .description('assign a role to a user, or change its expiry')
    .addArgument(userArgument())
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addOption(expiresOption())
    .addHelpText(
      'after',
      examples('grants assign ada billing editor', 'grants assign ada billing editor --expires 30d'),
    )
    .action(
      withContext(
        async (context: CommandContext<{ expires?: string }>, userId: string, appId: string, role: string) => {
          const { client, options, show } = context;
          const body = { expiresAt: options.expires ?? null };
          const access = await client.call('assign-user-role', { path: { userId, appId, role }, body });
          show(
            access,
            access.changed ? `Assigned ${role} to ${userId}.` : `${userId} already has ${role}.`,
            ...accessLines(access),
          );
        },
      ),
    );

  grants
    .command('revoke')
    .description('revoke a role from a user')
    .addArgument(userArgument())
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addHelpText('after', examples('grants revoke ada billing editor'))
    .action(
      withContext(async ({ client, show }, userId: string, appId: string, role: string) => {
        const access = await client.call('revoke-user-role', { path: { userId, appId, role } });
        const said = access.changed ? `Revoked ${role} from ${userId}.` : `${userId} does not have ${role}.`;
        show(access, said, ...accessLines(access));
      }),
    );
}
