import type { Candidate, CommandNode, OptionNode } from './command-tree.ts';

/** A completion script for zsh: to source after `compinit`, or as the file `_auth-service` in a folder of `$fpath`. */
export function zshCompletion(tree: readonly CommandNode[]): string {
  const paths = tree.map(({ path }) => quote(path)).join('|');
  return `#compdef auth-service
_auth_service() {
  local at='' previous='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${paths}) at="\${at:+$at }$word" ;;
    esac
    previous="$word"
  done
  case "$at $previous" in
${valueCases(tree)}
  esac
  case "$at" in
${wordCases(tree)}
  esac
  _describe 'auth-service' candidates
}
if [ "$funcstack[1]" = "_auth_service" ]; then
  _auth_service "$@"
else
  compdef _auth_service auth-service
fi`;
}

function valueCases(tree: readonly CommandNode[]): string {
  const cases = tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => `    ${quote(`${path} ${option.word}`)}) ${valueAction(option)}; return ;;`),
  );
  return cases.join('\n');
}

function valueAction({ choices, valuesFrom }: OptionNode): string {
  if (valuesFrom !== undefined) return `compadd -- ${linesOf(valuesFrom)}`;
  return choices.length === 0 ? '_files' : `compadd -- ${choices.map(quote).join(' ')}`;
}

function wordCases(tree: readonly CommandNode[]): string {
  const cases = tree.map(({ path, subcommands, values, valuesFrom, options }) => {
    const candidates = [...subcommands, ...values, ...options].map(described);
    if (valuesFrom !== undefined) candidates.push(linesOf(valuesFrom));
    return `    ${quote(path)}) candidates=(${candidates.join(' ')}) ;;`;
  });
  return cases.join('\n');
}

function linesOf(command: string): string {
  return `"\${(@f)$(${command})}"`;
}

/** `_describe` separates the word from its description by a colon. */
function described({ word, description }: Candidate): string {
  return quote(description === '' ? word.replaceAll(':', '\\:') : `${word.replaceAll(':', '\\:')}:${description}`);
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
