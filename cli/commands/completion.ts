import { Argument, type Command } from 'commander';
import { bashCompletion } from '../complete/bash.ts';
import { commandTree } from '../complete/command-tree.ts';
import { fishCompletion } from '../complete/fish.ts';
import { zshCompletion } from '../complete/zsh.ts';
import { examples } from '../examples.ts';
import type { Kit } from '../kit.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof scripts;

const guide = `
To have it in every new shell:
  bash  echo 'source <(auth-service completion bash)' >> ~/.bashrc
  zsh   echo 'source <(auth-service completion zsh)' >> ~/.zshrc    (after compinit)
  fish  auth-service completion fish > ~/.config/fish/completions/auth-service.fish
`;

/** `completion`: lets the Tab key know the commands. */
export function addCompletion(program: Command, { perform }: Kit): void {
  program
    .command('completion')
    .description('print the script by which a shell completes commands, options and their values')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(scripts)))
    .addHelpText('after', `${guide}${examples('completion bash')}`)
    .action(
      perform(async ({ terminal }, shell: Shell) => {
        terminal.print(scripts[shell](commandTree(program)));
      }),
    );
}
