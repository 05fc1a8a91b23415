import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const folder = join(import.meta.dirname, '../../examples/signers');

/** How each language runs its signer; `$out` stands for the folder of what was compiled. A missing runtime fails. */
const languages: Readonly<Record<string, { readonly compile?: string; readonly run: readonly string[] }>> = {
  bash: { run: ['bash', `${folder}/sign.sh`] },
  python: { run: ['python3', `${folder}/sign.py`] },
  go: { compile: 'go build -o $out/send sign.go send.go', run: ['$out/send'] },
  // Without the second compiler and its collectors, which take longer to begin than these runs take.
  java: {
    compile: 'javac -Xlint:all -Werror -d $out Sign.java Send.java',
    run: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', '$out', 'Send'],
  },
  php: { run: ['php', `${folder}/sign.php`] },
  ruby: { run: ['ruby', '-w', `${folder}/sign.rb`] },
  // Mono's compiler: no .NET is among Debian's packages.
  'c#': {
    compile: 'mcs -warnaserror -r:System.Net.Http -out:$out/send.exe Sign.cs Send.cs',
    run: ['mono', '$out/send.exe'],
  },
};

export const languageNames: readonly string[] = Object.keys(languages);

export interface SignerRun {
  readonly exitCode: number;
  readonly stdout: string;
}

/** The reference signers, compiled where that is needed. */
export interface ReferenceSigners {
  /** Runs a language's command with these arguments and only this environment besides the machine's. */
  run(language: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<SignerRun>;
  remove(): Promise<void>;
}

export async function compileSigners(): Promise<ReferenceSigners> {
  const out = await mkdtemp(join(tmpdir(), 'auth-service-signers-'));
  for (const { compile } of Object.values(languages)) {
    if (compile !== undefined) await execute('sh', ['-c', compile.replaceAll('$out', out)], { cwd: folder });
  }
  return {
    run: (language, args, env) => {
      const [program = '', ...options] = (languages[language]?.run ?? []).map((part) => part.replaceAll('$out', out));
      // Java and Ruby read arguments in the encoding of the locale.
      return runToEnd(program, [...options, ...args], { ...process.env, LC_ALL: 'C.UTF-8', ...env });
    },
    remove: () => rm(out, { recursive: true }),
  };
}

function runToEnd(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<SignerRun> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env }, (error, stdout) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ exitCode: Number(error?.code ?? 0), stdout });
    });
  });
}
