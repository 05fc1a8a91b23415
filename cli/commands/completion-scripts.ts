/**
 * The script for each shell. At each Tab it calls `auth-service complete` with the unevaluated words of the line, and offers
 * file names if that prints nothing. The command prints one word per line, with a tab and a description.
 */
export const completionScripts = {
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
