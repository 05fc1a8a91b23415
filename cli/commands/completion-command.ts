import { Argument, type Command, type Option } from 'commander';
import type { ContextProvider } from '../service/command-context.ts';
import type { ServiceOptions } from '../service/find-service.ts';
import { examples } from '../terminal/arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Candidate, namesFor } from './typed-names.ts';

const guide = `
The script completes auth-service, which must be in your PATH. To load it in every
new shell:
  bash  echo 'source <(auth-service completion bash)' >> ~/.bashrc
  zsh   echo 'source <(auth-service completion zsh)' >> ~/.zshrc    (after compinit)
  fish  auth-service completion fish > ~/.config/fish/completions/auth-service.fish`;

/** Adds `completion`, shell completion with the Tab key, and the hidden command that its scripts run. */
export function addCompletion(program: Command, { withContext }: ContextProvider): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .addHelpText('after', guide)
    .addHelpText('after', examples('completion bash'))
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
        const candidates = await candidatesAfter(program, words, terminal);
        terminal.print(...candidates.map(({ word, description }) => `${word}\t${description}`));
      }),
    );
}

/**
 * The words that can follow on a command line; the shell filters them by prefix. Empty if the value of an option can be
 * anything, such as a file.
 */
async function candidatesAfter(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  const { command, open, positionals, options } = readWords(program, words);
  const help = command.createHelp();
  const next = argumentAt(command, positionals.length, options);
  const appId = positionals.find((_, at) => argumentAt(command, at, options)?.name() === 'app');
  const values = async (choices: readonly string[] = [], kind = '') => [
    ...choices.map((word) => ({ word, description: '' })),
    ...(['app', 'role', 'deployment'].includes(kind) ? await namesFor({ kind, appId, options }, terminal) : []),
  ];
  if (open !== undefined) return values(open.argChoices, open.long?.slice(2));
  return [
    ...help.visibleCommands(command).map((child) => ({ word: child.name(), description: child.description() })),
    ...(next === undefined ? [] : await values(next.argChoices, next.name())),
    ...optionsOf(command).map(({ long, description }) => ({ word: long ?? '', description })),
  ];
}

/** The argument in this place. With `--users-file` there is no user, and the others move up. */
function argumentAt({ registeredArguments: all }: Command, place: number, { usersFile }: TypedOptions) {
  const known = usersFile !== undefined && all[0]?.name() === 'user' ? all.slice(1) : all;
  return known[place] ?? known.findLast(({ variadic }) => variadic);
}

interface TypedOptions extends ServiceOptions {
  readonly usersFile?: string;
}

/** The command that the words name, the option that still needs its value, if any, and the arguments and options so far. */
function readWords(program: Command, words: readonly string[]) {
  let command = program;
  let open: Option | undefined;
  let positionals: string[] = [];
  const options: Record<string, string> = {};
  for (const word of words) {
    if (open !== undefined) {
      options[open.attributeName()] = word;
      open = undefined;
      continue;
    }
    open = optionsOf(command).find(({ long, required }) => required && long === word);
    const child = command.commands.find((one) => one.name() === word);
    if (child !== undefined) [command, positionals] = [child, []];
    else if (!word.startsWith('-')) positionals.push(word);
  }
  return { command, open, positionals, options: options as TypedOptions };
}

/** The options of the command and of those above it. */
function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

/**
 * The script for each shell. At each Tab it calls `auth-service complete` with the unevaluated words of the line, and offers
 * file names if that prints nothing. The command prints one word per line, with a tab and a description.
 */
const completionScripts = {
  bash: `# bash completion for auth-service
_auth_service() {
  local line="\${COMP_LINE:0:COMP_POINT}" word words
  local current="\${line##*[[:space:]]}"
  read -ra words <<< "\${line% *}"
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi
  done < <(auth-service complete -- "\${words[@]:1}" 2>/dev/null)
  # Bash has already split the word at its colons.
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${current%:*}":}")
  fi
}
complete -o bashdefault -o default -F _auth_service auth-service`,

  zsh: `#compdef auth-service
_auth_service() {
  local line word description
  local -a candidates
  for line in "\${(@f)$(auth-service complete -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    # _describe separates the word from its description by a colon.
    word="\${\${line%%$'\\t'*}//:/\\\\:}" description="\${line#*$'\\t'}"
    [[ -n "$word" ]] && candidates+=("$word\${description:+:$description}")
  done
  if (( $#candidates )); then
    _describe 'auth-service' candidates
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_auth_service" ]; then
  _auth_service "$@"
else
  compdef _auth_service auth-service
fi`,

  fish: `# fish completion for auth-service
function __auth_service_complete
    set -l words (commandline -opc)
    set -l candidates (auth-service complete -- $words[2..-1] 2>/dev/null)
    if set -q candidates[1]
        printf '%s\\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c auth-service -f -a '(__auth_service_complete)'`,
} as const;
