import type { Command } from 'commander';
import { accessLines } from '../access-lines.ts';
import { appArgument, expiresOption, roleArgument, userArgument } from '../arguments.ts';
import { examples } from '../examples.ts';
import type { Kit, Work } from '../kit.ts';

/** `grants`: which user holds which role. */
export function addGrants(program: Command, { perform }: Kit): void {
  const grants = program.command('grants').description('give roles to users and take them back');

  grants
    .command('assign')
    .description('give a role to a user, or change how long it lasts')
    .addArgument(userArgument())
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addOption(expiresOption())
    .addHelpText(
      'after',
      examples('grants assign ada billing editor', 'grants assign ada billing editor --expires 30d'),
    )
    .action(
      perform(async (work: Work<{ expires?: string }>, userId: string, appId: string, role: string) => {
        const { client, options, show } = work;
        const body = { expiresAt: options.expires ?? null };
        const access = await client.call('assign-user-role', { path: { userId, appId, role }, body });
        show(
          access,
          access.changed ? `Gave ${role} to ${userId}.` : `${userId} holds ${role} already.`,
          ...accessLines(access),
        );
      }),
    );

  grants
    .command('revoke')
    .description('take a role back from a user')
    .addArgument(userArgument())
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addHelpText('after', examples('grants revoke ada billing editor'))
    .action(
      perform(async ({ client, show }, userId: string, appId: string, role: string) => {
        const access = await client.call('revoke-user-role', { path: { userId, appId, role } });
        const said = access.changed ? `Took ${role} back from ${userId}.` : `${userId} did not hold ${role}.`;
        show(access, said, ...accessLines(access));
      }),
    );
}
