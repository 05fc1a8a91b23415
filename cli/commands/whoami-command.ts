import type { Command } from 'commander';
import type { OperatorView } from '#shared/contract/operator.ts';
import { examples } from '../arguments.ts';
import type { ContextProvider } from '../command-context.ts';
import { recordLines } from '../print-table.ts';

/** Adds `whoami`: the operator whose credentials the other commands use, and what these may do. */
export function addWhoami(program: Command, { withContext }: ContextProvider): void {
  program
    .command('whoami')
    .description('show who you are to the service, and your operator roles')
    .addHelpText('after', examples('whoami', 'whoami --profile support --json'))
    .action(
      withContext(async ({ client, show }) => {
        const operator = await client.call('get-operator', {});
        show(operator, ...operatorLines(operator));
      }),
    );
}

function operatorLines({ id, email, roles }: OperatorView): string[] {
  const held = roles.map(({ role, appId }) => (appId === null ? role : `${role} of ${appId}`));
  return recordLines([
    ['operator', id],
    ...(email === null ? [] : ([['email', email]] as const)),
    ['roles', held.join(', ')],
  ]);
}
