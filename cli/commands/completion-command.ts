import { Argument, type Command } from 'commander';
import { examples } from '../arguments.ts';
import type { ContextProvider } from '../command-context.ts';
import { bashCompletion } from '../complete/bash.ts';
import { commandTree } from '../complete/command-tree.ts';
import { fishCompletion } from '../complete/fish.ts';
import { zshCompletion } from '../complete/zsh.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof scripts;

const guide = `
To load it in every new shell:
  bash  echo 'source <(auth-service completion bash)' >> ~/.bashrc
  zsh   echo 'source <(auth-service completion zsh)' >> ~/.zshrc    (after compinit)
  fish  auth-service completion fish > ~/.config/fish/completions/auth-service.fish
`;

/** Adds `completion`: shell completion with the Tab key. */
export function addCompletion(program: Command, { withContext }: ContextProvider): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', `${guide}${examples('completion bash')}`)
    .action(
      withContext(async ({ terminal }, shell: Shell) => {
        terminal.print(scripts[shell](commandTree(program)));
      }),
    );
}
