import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ToolName } from '../support/tools.ts';

const execute = promisify(execFile);
const folder = join(import.meta.dirname, '../../examples/signers');

interface Language {
  readonly tools: readonly ToolName[];
  readonly compile?: string;
  readonly run: readonly string[];
}

/** How each language runs its signer; `$out` is the folder for compiled files. */
const languages: Readonly<Record<string, Language>> = {
  bash: { tools: ['curl', 'OpenSSL'], run: ['bash', `${folder}/sign.sh`] },
  python: { tools: ['Python'], run: ['python3', `${folder}/sign.py`] },
  go: { tools: ['Go'], compile: 'go build -o $out/send sign.go send.go', run: ['$out/send'] },
  // Without the second compiler and its collectors, which take longer to start than these runs take.
  java: {
    tools: ['Java'],
    compile: 'javac -Xlint:all -Werror -d $out Sign.java Send.java',
    run: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', '$out', 'Send'],
  },
  php: { tools: ['PHP'], run: ['php', `${folder}/sign.php`] },
  ruby: { tools: ['Ruby'], run: ['ruby', '-w', `${folder}/sign.rb`] },
  'c#': {
    tools: ['C#'],
    compile: 'mcs -warnaserror -r:System.Net.Http -out:$out/send.exe Sign.cs Send.cs',
    run: ['mono', '$out/send.exe'],
  },
};

export const languageNames: readonly string[] = Object.keys(languages);

export function toolsOf(language: string): readonly ToolName[] {
  return languages[language]?.tools ?? [];
}

export interface SignerRun {
  readonly exitCode: number;
  readonly stdout: string;
}

/** The reference signers, each compiled on its first run. */
export interface ReferenceSigners {
  /** Runs a language's command with these arguments, and with this environment in addition to the machine's. */
  run(language: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<SignerRun>;
  remove(): Promise<void>;
}

export async function openSigners(): Promise<ReferenceSigners> {
  const out = await mkdtemp(join(tmpdir(), 'auth-service-signers-'));
  const compiled = new Map<string, Promise<unknown>>();
  const place = (text: string) => text.replaceAll('$out', out);
  const compileOnce = (language: string, command: string) => {
    const running = compiled.get(language) ?? execute('sh', ['-c', place(command)], { cwd: folder });
    compiled.set(language, running);
    return running;
  };
  return {
    run: async (language, args, env) => {
      const { compile, run = [] } = languages[language] ?? {};
      if (compile !== undefined) await compileOnce(language, compile);
      const [program = '', ...options] = run.map(place);
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
