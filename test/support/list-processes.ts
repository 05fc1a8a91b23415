import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** As in proc_pid_stat(5): `R` is running, `S` is waiting. */
  readonly state: string;
  readonly command: string;
}

/** The processes that this one has started, and theirs. */
export function listProcesses(): ListedProcess[] {
  const processes = everyProcess();
  const below = (parent: number): ListedProcess[] =>
    processes.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(process.pid);
}

/** All processes of the machine. */
export function everyProcess(): ListedProcess[] {
  if (!existsSync('/proc/self/stat')) return parseProcesses(execFileSync('ps', psArguments, { encoding: 'utf8' }));
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
}

/** What `ps` of POSIX prints where there is no `/proc`, such as on macOS. */
export const psArguments = ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'state=', '-o', 'args='];

export function parseProcesses(printed: string): ListedProcess[] {
  return [...printed.matchAll(/^ *(\d+) +(\d+) +(\S)\S* +(.*)$/gm)].map(
    ([, pid, parent, state = '', command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      state,
      command: command.trim(),
    }),
  );
}

/** Ends processes at once; those that have already ended are left out. */
export function killProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}

function readProcess(pid: number): ListedProcess[] {
  try {
    // The name of the program, in parentheses, may contain any characters.
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return [{ pid, parent: Number(parent), state, command }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
