import type { Command } from 'commander';
import type { OperatorView } from '#shared/contract/operator.ts';
import type { ContextProvider } from '../service/command-context.ts';
import { describeService, type Service } from '../service/find-service.ts';
import { examples } from '../terminal/arguments.ts';
import { recordLines } from '../terminal/print-table.ts';

/** Adds `whoami`: the operator whose credentials the other commands use, and the operator's roles. */
export function addWhoami(program: Command, { withContext }: ContextProvider): void {
  program
    .command('whoami')
    .description('show who you are, your operator roles, and the deployment')
    .addHelpText('after', examples('whoami', 'whoami --profile support --json'))
    .action(
      withContext(async ({ client, service, show }) => {
        const operator = await client.call('get-operator', {});
        const { name, url, chosenBy } = service();
        show({ ...operator, deployment: { name, url, chosenBy } }, ...operatorLines(operator, service()));
      }),
    );
}

function operatorLines({ id, email, roles }: OperatorView, service: Service): string[] {
  const held = roles.map(({ role, appId }) => (appId === null ? role : `${role} of ${appId}`));
  return recordLines([
    ['operator', id],
    ...(email === null ? [] : ([['email', email]] as const)),
    ['roles', held.join(', ')],
    ['deployment', `${describeService(service)} (from ${service.chosenBy})`],
  ]);
}
