import { Argument, type Command } from 'commander';
import type { ContextProvider } from '../service/command-context.ts';
import {
  type Deployment,
  type Deployments,
  deploymentNameSchema,
  helpToAdd,
  localName,
  readDeployments,
  requireDeployment,
  writeDeployments,
} from '../service/deployments.ts';
import { readUrl } from '../service/find-service.ts';
import { examples, parserOf } from '../terminal/arguments.ts';
import { commandLine } from '../terminal/command-line.ts';
import { type Column, createTable } from '../terminal/print-table.ts';

interface Listed extends Deployment {
  readonly name: string;
  readonly current: boolean;
}

const columns: readonly Column<Listed>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'IN USE', cell: ({ current }) => (current ? 'yes' : '') },
  { title: 'URL', isText: true, cell: ({ url }) => url },
  { title: 'REGION', cell: ({ region }) => region ?? '-' },
  { title: 'PROFILE', cell: ({ profile }) => profile ?? '-' },
];

const guide = `
Deployments are stored in config.json in $AUTH_SERVICE_CONFIG_DIR,
$XDG_CONFIG_HOME/auth-service or ~/.config/auth-service: names, URLs, regions
and names of AWS profiles, but no credentials.`;

/** Adds `use` and `deployments`: the named deployments, and the one that commands call. */
export function addDeployments(program: Command, { withContext }: ContextProvider): void {
  program
    .command('use')
    .description(`choose the deployment that commands call; "${localName}" is the local run`)
    .addArgument(nameArgument())
    .addHelpText('after', examples('use prod', `use ${localName}`))
    .action(
      withContext(async ({ terminal, show }, name: string) => {
        const { current: _, ...known } = readDeployments(terminal.env);
        const chosen = name === localName ? undefined : requireDeployment(known, name, terminal);
        writeDeployments(terminal.env, chosen === undefined ? known : { current: name, ...known });
        show({ name, ...chosen }, `Commands now call ${name}${chosen ? `, ${chosen.url}` : ' (npm start)'}.`);
      }),
    );

  const deployments = program.command('deployments').description('list, add and remove named deployments');

  deployments
    .command('list')
    .description('list the saved deployments; sends no request')
    .addHelpText('after', guide)
    .addHelpText('after', examples('deployments list'))
    .action(
      withContext(async ({ terminal, show }) => {
        const items = listed(readDeployments(terminal.env));
        show({ items }, ...createTable(columns, terminal)(items));
        if (items.length === 0) terminal.note(`No deployments. To add one: ${helpToAdd(terminal.program)}`);
      }),
    );

  deployments
    .command('add')
    .description('add or update a deployment; --region and --profile are saved with it')
    .addArgument(new Argument('<name>', 'name, such as prod').argParser(parserOf(deploymentNameSchema)))
    .argument('<url>', 'function URL of its Management API (the output ManageUrl)')
    .addHelpText(
      'after',
      examples('deployments add prod https://abc123.lambda-url.eu-central-1.on.aws --profile prod-admin'),
    )
    .action(
      withContext(async ({ options: { region, profile }, terminal, show }, name: string, text: string) => {
        const added = { url: readUrl(text), ...(region && { region }), ...(profile && { profile }) };
        const known = readDeployments(terminal.env);
        writeDeployments(terminal.env, { ...known, deployments: { ...known.deployments, [name]: added } });
        show({ name, ...added }, `Added ${name}. Choose it with: ${commandLine(terminal.program, ['use', name])}`);
      }),
    );

  deployments
    .command('remove')
    .description('remove a deployment from the list; the deployment itself is not deleted')
    .addArgument(nameArgument())
    .addHelpText('after', examples('deployments remove prod'))
    .action(
      withContext(async ({ terminal, show }, name: string) => {
        const { current, deployments: known } = readDeployments(terminal.env);
        const removed = requireDeployment({ deployments: known }, name, terminal);
        const { [name]: _, ...rest } = known;
        writeDeployments(terminal.env, { ...(current && current !== name && { current }), deployments: rest });
        show({ name, ...removed }, `Removed ${name} from the list; the deployment itself is not deleted.`);
      }),
    );
}

const nameArgument = () => new Argument('<deployment>', 'name of a deployment');

function listed({ current, deployments }: Deployments): Listed[] {
  return Object.entries(deployments).map(([name, deployment]) => ({ name, current: name === current, ...deployment }));
}
