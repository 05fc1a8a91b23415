import { Argument, type Command } from 'commander';
import type { ContextProvider } from '../service/command-context.ts';
import { namesOf, readDeployments } from '../service/deployments.ts';
import { examples } from '../terminal/arguments.ts';
import { candidatesAfter } from './completion-candidates.ts';
import { completionScripts } from './completion-scripts.ts';

const guide = `
To load it in every new shell:
  bash  echo 'source <(auth-service completion bash)' >> ~/.bashrc
  zsh   echo 'source <(auth-service completion zsh)' >> ~/.zshrc    (after compinit)
  fish  auth-service completion fish > ~/.config/fish/completions/auth-service.fish
`;

/** Adds `completion`, shell completion with the Tab key, and the hidden command that its scripts run. */
export function addCompletion(program: Command, { withContext }: ContextProvider): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .addHelpText('after', `${guide}${examples('completion bash')}`)
    .action(
      withContext(async ({ terminal }, shell: keyof typeof completionScripts) => {
        terminal.print(completionScripts[shell]);
      }),
    );

  program
    .command('complete', { hidden: true })
    .description('print what can follow the words of a command line')
    .argument('[words...]', 'the words after "--"')
    .addHelpText('after', examples('complete -- apps'))
    .action(
      withContext(async ({ terminal }, words: readonly string[]) => {
        const candidates = candidatesAfter(program, words, () => namesOf(readDeployments(terminal.env)));
        terminal.print(...candidates.map(({ word, description }) => `${word}\t${description}`));
      }),
    );
}
