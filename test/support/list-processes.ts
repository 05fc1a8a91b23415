import { readdirSync, readFileSync } from 'node:fs';

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** As in proc_pid_stat(5): `R` is running, `S` is waiting. */
  readonly state: string;
  readonly command: string;
}

/** The processes that this one has started, and theirs. */
export function listProcesses(): ListedProcess[] {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const below = (parent: number): ListedProcess[] =>
    processes.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(process.pid);
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
