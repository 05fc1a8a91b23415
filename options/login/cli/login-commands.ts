import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { type DeletionOptions, deleteCompletely } from '#cli/commands/delete-completely.ts';
import { type SecretOptions, takeSecret } from '#cli/keys/take-secret.ts';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { appArgument, examples, keyFileOption, parserOf, quietOption, yesOption } from '#cli/terminal/arguments.ts';
import { type ClientType, clientTypes } from '../contract/login-values.ts';
import { redirectUrisSchema } from '../contract/redirect-uri.ts';
import { addAccounts } from './account-commands.ts';
import { awaitClient, requireClient } from './await-client.ts';
import { loginLines } from './login-lines.ts';

/** Adds `logins` and `accounts`: the login of applications, and the accounts by which people log in. */
export function addLogins(program: Command, provider: ContextProvider): void {
  const { withContext } = provider;
  const logins = program.command('logins').description('let people log in to an application by OpenID Connect');

  logins
    .command('set')
    .description('set the login of an application; what is not named gets its default')
    .addArgument(appArgument())
    .addOption(urisOption('--redirect <uri>', 'address to which a login may return').makeOptionMandatory())
    .addOption(urisOption('--logout <uri>', 'address to which a logout may return'))
    .addOption(
      new Option('--client <type>', 'public for a browser or an installed program, confidential for a backend')
        .choices(clientTypes)
        .default('public'),
    )
    .addHelpText(
      'after',
      examples(
        'logins set billing --redirect https://billing.example.com/callback --logout https://billing.example.com/',
        'logins set wiki --client confidential --redirect https://wiki.example.com/callback',
      ),
    )
    .action(withContext((context: CommandContext<SetOptions>, appId: string) => setLogin(context, appId)));

  logins
    .command('show')
    .description('show the login of an application, and what the provider refused')
    .addArgument(appArgument())
    .addHelpText('after', examples('logins show billing'))
    .action(
      withContext(async ({ client, show }, appId: string) => {
        const login = await client.call('get-login', { path: { appId } });
        show(login, ...loginLines(login));
      }),
    );

  logins
    .command('delete')
    .description('delete the login of an application; a new one gets another client id')
    .addArgument(appArgument())
    .addOption(yesOption())
    .addHelpText('after', examples('logins delete billing', 'logins delete billing --yes'))
    .action(
      withContext(async (context: CommandContext<DeletionOptions>, appId: string) => {
        const send = () => context.client.call('delete-login', { path: { appId } });
        await deleteCompletely(context, { id: appId, what: `the login of ${appId}`, send });
      }),
    );

  logins
    .command('secret')
    .description('add a secret to a confidential client; it is shown only once, and a third one ends the oldest')
    .addArgument(appArgument())
    .addOption(quietOption())
    .addOption(keyFileOption('the client id'))
    .addHelpText('after', examples('logins secret billing', 'logins secret billing --out billing-login.json'))
    .action(
      withContext(async (context: CommandContext<SecretOptions>, appId: string) => {
        await takeLoginSecret(context, appId);
      }),
    );

  addAccounts(program, provider);
}

interface SetOptions {
  readonly redirect: readonly string[];
  readonly logout?: readonly string[];
  readonly client: ClientType;
}

/** An option that can be given several times, with addresses that the service accepts. */
function urisOption(flags: string, meaning: string): Option {
  const parse = parserOf(
    v.pipe(
      v.string(),
      v.transform((uri) => [uri]),
      redirectUrisSchema,
    ),
  );
  const collect = (uri: string, earlier: readonly string[] = []) => [...earlier, ...parse(uri)];
  return new Option(flags, `${meaning}; repeat the option for several`).argParser(collect);
}

async function setLogin(context: CommandContext<SetOptions>, appId: string): Promise<void> {
  const { client, options, show, terminal } = context;
  const path = { appId };
  const body = {
    clientType: options.client,
    redirectUris: [...options.redirect],
    logoutUris: [...(options.logout ?? [])],
  };
  const { changed, ...set } = await client.call('set-login', { path, body });
  if (set.issuer === null) {
    show({ ...set, changed }, ...loginLines({ ...set, error: null }));
    terminal.note('Recorded. It has no effect until the setting "login" of this deployment is on.');
    return;
  }
  if (set.clientId === null) terminal.note('Waiting for the provider to set up the client, up to 30 s …');
  const login = await awaitClient({ ...set, changed }, () => client.call('get-login', { path }));
  show({ ...login, changed }, ...loginLines(login));
  requireClient(login);
  if (changed && set.clientId !== null) {
    terminal.note('The provider has the change within seconds; "logins show" says so if it refuses it.');
  }
}

async function takeLoginSecret(context: CommandContext<SecretOptions>, appId: string): Promise<void> {
  await takeSecret(context, async () => {
    const { secret, ...answer } = await context.client.call('add-login-secret', { path: { appId } });
    const rows = [
      ['application', appId],
      ['client id', answer.clientId],
      ['secret', secret],
    ] as const;
    const otherwise = ['Add another one:', ['logins', 'secret', appId]] as const;
    const done = `The login of ${appId} has a new secret`;
    return { member: 'secret', secret, answer, rows, owner: `the login of ${appId}`, done, otherwise };
  });
}
