import { Command } from 'commander';
import { addAccess } from './commands/access.ts';
import { addApps } from './commands/apps.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addGrants } from './commands/grants.ts';
import { addHistory } from './commands/history.ts';
import { addKeys } from './commands/keys.ts';
import { addRoles } from './commands/roles.ts';
import { addUsers } from './commands/users.ts';
import type { Kit } from './kit.ts';

/** The tree of all commands. */
export function createProgram(kit: Kit): Command {
  const { terminal } = kit;
  const program = new Command('auth-service')
    .description('Manages users, applications, API keys, roles and access.')
    .option('--url <url>', 'function URL of the Management API (default: AUTH_SERVICE_URL, else the local run)')
    .option('--region <region>', "AWS region (default: the function URL's, else AWS_REGION)")
    .option('--profile <name>', 'AWS profile for the credentials (default: the AWS default chain)')
    .option('--json', "print the service's answer as JSON")
    .option('--debug', 'say what is sent, and where an error comes from')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
    })
    .exitOverride()
    .addHelpText('after', guide);
  for (const add of [
    addApps,
    addKeys,
    addRoles,
    addUsers,
    addAccess,
    addGrants,
    addHistory,
    addDoctor,
    addCompletion,
  ]) {
    add(program, kit);
  }
  return program;
}

const guide = `
Ids stand in the order user, application, role. Each command has examples in its own --help.

Where:   --url or AUTH_SERVICE_URL, signed with your AWS credentials;
         without them, the service that "npm start" runs, if its .local/example.json is in this folder.
Ends with: 0  done
           1  refused by the service, or a part failed
           2  the command line or the settings are wrong; nothing was sent
           3  no answer, or not now (429, 503): try again later
           4  not found
         130  interrupted

From nothing to an API key:
  $ auth-service apps create billing "Billing"
  $ auth-service roles define billing editor
  $ auth-service users create ada --name "Ada Lovelace"
  $ auth-service grants assign ada billing editor
  $ auth-service keys issue billing`;
