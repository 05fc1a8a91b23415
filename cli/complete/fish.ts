import type { CommandNode, OptionNode } from './command-tree.ts';

/** A completion script for fish. */
export function fishCompletion(tree: readonly CommandNode[]): string {
  const paths = tree.map(({ path }) => quote(path)).join(' ');
  return `# fish completion for auth-service
function __auth_service_at
    set -l at ''
    for word in (commandline -opc)
        set -l longer (string trim -- "$at $word")
        if contains -- "$longer" ${paths}
            set at "$longer"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c auth-service -f
${tree.flatMap(lines).join('\n')}`;
}

function lines({ path, subcommands, values, valuesFrom, options }: CommandNode): string[] {
  const here = `complete -c auth-service -n ${quote(`__auth_service_at ${quote(path)}`)}`;
  return [
    ...[...subcommands, ...values].map(({ word, description }) => `${here} -a ${word}${described(description)}`),
    ...(valuesFrom === undefined ? [] : [`${here} -a ${quote(`(${valuesFrom})`)}`]),
    ...options.map((option) => `${here} -l ${option.word.slice(2)}${value(option)}${described(option.description)}`),
  ];
}

/** File names are offered for an option without a fixed set of values. */
function value({ takesValue, choices, valuesFrom }: OptionNode): string {
  if (valuesFrom !== undefined) return ` -x -a ${quote(`(${valuesFrom})`)}`;
  if (!takesValue) return '';
  return choices.length === 0 ? ' -r -F' : ` -x -a ${quote(choices.join(' '))}`;
}

function described(description: string): string {
  return description === '' ? '' : ` -d ${quote(description)}`;
}

/** In fish's single quotes, `\\` and `'` are escaped by a backslash. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
