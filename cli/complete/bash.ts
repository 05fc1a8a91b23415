import type { CommandNode } from './command-tree.ts';

/** A completion script for bash. Words consist of a-z, `-` and `:`, so nothing needs to be quoted twice. */
export function bashCompletion(tree: readonly CommandNode[]): string {
  const paths = tree.map(({ path }) => quote(path)).join('|');
  return `# bash completion for auth-service
_auth_service() {
  local line="\${COMP_LINE:0:COMP_POINT}" at='' previous='' word candidates
  local current="\${line##*[[:space:]]}" words
  read -ra words <<< "\${line% *}"
  for word in "\${words[@]}"; do
    case "\${at:+$at }$word" in
      ${paths}) at="\${at:+$at }$word" ;;
    esac
    previous="$word"
  done
  case "$at $previous" in
${valueCases(tree)}
    *) candidates='-' ;;
  esac
  if [[ "$candidates" == '-' ]]; then
    case "$at" in
${wordCases(tree)}
    esac
  fi
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
  # Bash has already split the word at its colons.
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${current%:*}":}")
  fi
}
complete -o bashdefault -o default -F _auth_service auth-service`;
}

/** The values of options; without a fixed set, the shell completes file names. */
function valueCases(tree: readonly CommandNode[]): string {
  const cases = tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ word, choices, valuesFrom }) =>
          `    ${quote(`${path} ${word}`)}) candidates=${quote(choices.join(' '))}${outputOf(valuesFrom)} ;;`,
      ),
  );
  return cases.join('\n');
}

function wordCases(tree: readonly CommandNode[]): string {
  const cases = tree.map(({ path, subcommands, values, valuesFrom, options }) => {
    const words = [...subcommands, ...values, ...options].map(({ word }) => word);
    return `      ${quote(path)}) candidates=${quote(`${words.join(' ')} `)}${outputOf(valuesFrom)} ;;`;
  });
  return cases.join('\n');
}

function outputOf(command: string | undefined): string {
  return command === undefined ? '' : `"$(${command})"`;
}

function quote(text: string): string {
  return `'${text}'`;
}
