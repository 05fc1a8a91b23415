import { basename, sep } from 'node:path';

/** The parts of the process that say how the program was called. */
export type Called = Pick<NodeJS.Process, 'argv' | 'execArgv' | 'env'>;

/** The name of the program if it is in PATH. */
export const ownName = 'auth-service';

/** The words that call the program again from the same folder: `auth-service`, or those of npm, npx or Node.js. */
export function programName({ argv, execArgv, env }: Called): string {
  const [node = 'node', script = ownName] = argv;
  if (env.npm_lifecycle_event === 'manage') return `npm ${prefixOption(env)}run -s manage --`;
  if (script.includes(`node_modules${sep}.bin${sep}`)) return `npx ${ownName}`;
  if (basename(script) === ownName) return ownName;
  return commandLine(quote(node), [...execArgv, script]);
}

/** The option with which npm was told the folder of the project, if it was called outside that folder. */
function prefixOption({ npm_config_local_prefix: project, INIT_CWD: folder }: NodeJS.ProcessEnv): string {
  if (!project || !folder || `${folder}${sep}`.startsWith(`${project}${sep}`)) return '';
  return `--prefix ${quote(project)} `;
}

/** A command that a message shows, as it can be pasted into a POSIX shell. */
export function commandLine(program: string, args: readonly string[]): string {
  return [program, ...args.map(quote)].join(' ');
}

/** The same arguments with these options instead of those of the same name. A value of `undefined` removes an option. */
export function withOptions(
  args: readonly string[],
  options: Readonly<Record<`--${string}`, string | undefined>>,
): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const isReplaced = (word = '') => Object.hasOwn(options, word.replace(/=.*/s, ''));
  const kept = args
    .slice(0, end)
    .filter((word, at) => !isReplaced(word) && !(isReplaced(args[at - 1]) && !args[at - 1]?.includes('=')));
  const added = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return [...kept, ...added, ...args.slice(end)];
}

/** A word of a command line, quoted if a shell would change it. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
