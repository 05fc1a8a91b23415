import type { Command } from 'commander';
import { type DeletionOptions, deleteCompletely } from '#cli/commands/delete-completely.ts';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { examples, userArgument, yesOption } from '#cli/terminal/arguments.ts';
import type { AccountView } from '../contract/login.ts';
import { accountLines } from './login-lines.ts';

/** Adds `accounts`: the accounts by which people log in. */
export function addAccounts(program: Command, { withContext }: ContextProvider): void {
  const accounts = program.command('accounts').description('invite people to log in, and end their sessions');

  accounts
    .command('invite')
    .description('create the account of a user, and send an invitation by e-mail')
    .addArgument(userArgument())
    .addHelpText('after', examples('accounts invite ada'))
    .action(
      withContext(async ({ client, show, terminal, commandLine }, userId: string) => {
        const account = await client.call('invite-user', { path: { userId } });
        show(account, ...invitationLines(account));
        terminal.note(`See whether it was sent: ${commandLine('accounts', 'show', userId)}`);
      }),
    );

  accounts
    .command('show')
    .description('show whether a user can log in, with which second factors')
    .addArgument(userArgument())
    .addHelpText('after', examples('accounts show ada'))
    .action(
      withContext(async ({ client, show }, userId: string) => {
        const account = await client.call('get-account', { path: { userId } });
        show(account, ...accountLines(account));
      }),
    );

  accounts
    .command('sign-out')
    .description('end all sessions of a user, who can log in again unless blocked')
    .addArgument(userArgument())
    .addHelpText('after', examples('accounts sign-out ada'))
    .action(
      withContext(async ({ client, show }, userId: string) => {
        const account = await client.call('sign-out-user', { path: { userId } });
        show(account, ...signOutLines(account));
      }),
    );

  accounts
    .command('delete')
    .description('delete the account of a user, who stays with all access but cannot log in')
    .addArgument(userArgument())
    .addOption(yesOption())
    .addHelpText('after', examples('accounts delete ada', 'accounts delete ada --yes'))
    .action(
      withContext(async (context: CommandContext<DeletionOptions>, userId: string) => {
        const send = () => context.client.call('delete-account', { path: { userId } });
        await deleteCompletely(context, { id: userId, what: `the account of ${userId}`, send });
      }),
    );
}

/** What happens next, or why nothing does. */
function invitationLines({ userId, state, error }: AccountView): string[] {
  if (error !== null) return [`Recorded, but no invitation is sent yet. ${error}`];
  if (state === 'disabled') return [`Recorded. ${userId} is inactive, and cannot log in until activated.`];
  return [`Invited ${userId}. The invitation is sent within seconds, unless ${userId} has chosen a password already.`];
}

function signOutLines({ userId, changed, error }: AccountView & { readonly changed: boolean }): string[] {
  if (!changed) return [`Nothing to do: ${userId} has no account.`];
  if (error !== null) return [`Recorded, but there are no sessions to end. ${error}`];
  return [`Signed ${userId} out everywhere. Tokens that were issued last up to five minutes.`];
}
