import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readClientPackage } from '../../client/build/client-package.ts';
import { localAccess } from '../../local/local-credentials.ts';
import type { TestService } from './start-service.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** A Markdown page of the project, or a section of one. */
export interface TestedDocument {
  readonly text: string;
  /** The fenced blocks of one language, in order. */
  blocks(language: string): string[];
  /** What a reader does in order: runs each `bash` block, and writes each program whose sentence says "Save this as `file`". */
  steps(): PageStep[];
  /** The text below a heading, up to the next one of its level or above; throws if there is no such heading. */
  section(heading: string): TestedDocument;
  /** Links and images without a file, and anchors without a heading. */
  brokenLinks(): Promise<string[]>;
  /** The npm scripts that it names and `package.json` lacks. */
  unknownScripts(): Promise<string[]>;
}

export interface PageStep {
  readonly script: string;
  /** The block that stands directly below the commands: what they print. */
  readonly shown?: { readonly language: 'json' | 'text'; readonly text: string };
}

/** Reads a page, such as `docs/integrate/signing.md`. */
export async function readDocument(path: string): Promise<TestedDocument> {
  return parseDocument(path, await readFile(join(root, path), 'utf8'));
}

/** Creates a page from text, with links relative to this path. */
export function parseDocument(path: string, text: string): TestedDocument {
  return {
    text,
    blocks: (language) => blocksOf(text, language),
    steps: () => stepsOf(text),
    section: (heading) => parseDocument(path, sectionOf(text, heading)),
    brokenLinks: () => brokenLinks(path, text),
    unknownScripts: () => unknownScripts(text),
  };
}

function blocksOf(text: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms');
  return [...text.matchAll(pattern)].map(([, block = '']) => block);
}

function stepsOf(text: string): PageStep[] {
  const pattern = /^(?:([^\n]+)\n\n)?```(\w+)\n(.*?)^```$(?:\n\n```(json|text)\n(.*?)^```$)?/gms;
  return [...text.matchAll(pattern)].flatMap(([, sentence = '', language, block = '', below, shown = '']) => {
    const [, file] = /[Ss]ave this as `([^`]+)`/.exec(sentence) ?? [];
    if (file !== undefined) return [{ script: `cat > '${file}' <<'END_OF_FILE'\n${block}END_OF_FILE\n` }];
    if (language !== 'bash') return [];
    return [{ script: block, ...(below && { shown: { language: below as 'json' | 'text', text: shown } }) }];
  });
}

function sectionOf(text: string, heading: string): string {
  const [level = ''] = /^#+/.exec(heading) ?? [];
  const start = `\n${text}`.indexOf(`\n${heading}\n`);
  if (level === '' || start < 0) throw new Error(`There is no heading "${heading}"`);
  const [section = ''] = text.slice(start + heading.length).split(new RegExp(`\\n#{1,${level.length}} `), 1);
  return section;
}

async function brokenLinks(path: string, text: string): Promise<string[]> {
  const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
  const broken = await Promise.all(links.map((link) => isBroken(path, link)));
  return links.filter((_, at) => broken[at]);
}

async function isBroken(path: string, link: string): Promise<boolean> {
  const [target = '', anchor] = link.split('#', 2);
  const file = target === '' ? join(root, path) : join(root, dirname(path), target);
  if (!existsSync(file)) return true;
  return anchor !== undefined && !anchorsOf(await readFile(file, 'utf8')).includes(anchor);
}

/** Returns the anchors that GitHub generates from headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'));
}

async function unknownScripts(text: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const named = [...text.matchAll(/\bnpm (?:run (?:-s )?([a-z0-9]+(?:[:-][a-z0-9]+)*)|(start|test)\b)/g)];
  return named.map(([, script, short]) => script ?? short ?? '').filter((script) => !(script in scripts));
}

/** A copy of the project's folder as during `npm start`, for the commands in documents. */
export interface ProjectFolder {
  readonly path: string;
  /** Runs one script and returns what it writes to stdout; throws if any of its commands fails. */
  run(script: string, env?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs scripts in sequence in one shell, as a reader pastes them, and returns what each writes to stdout. */
  runEach(scripts: readonly string[], env?: Readonly<Record<string, string>>): Promise<string[]>;
  remove(): Promise<void>;
}

/** The content of `.local/example.json`. */
export type ExampleService = Pick<TestService, 'url' | 'manageUrl' | 'accessKey' | 'billingKey'>;

/**
 * The project's files with the example of this service in `.local/example.json`; the addresses of `npm start` become its
 * own.
 */
export async function openProjectFolder(service: ExampleService): Promise<ProjectFolder> {
  const path = await mkdtemp(join(tmpdir(), 'auth-service-'));
  await linkFiles(path);
  await writeExample(path, service);
  // The names of deployments of whoever runs the tests stay as they are.
  const ownSettings = { AUTH_SERVICE_CONFIG_DIR: join(path, '.local/config') };
  const runEach: ProjectFolder['runEach'] = async (scripts, env) => {
    const placed = [npm, ...scripts].map((script) => atService(script, service));
    const [, ...outputs] = await runScripts(placed, { cwd: path, env: { ...ownSettings, ...env } });
    return outputs;
  };
  return {
    path,
    runEach,
    run: async (script, env) => (await runEach([script], env)).join(''),
    remove: () => rm(path, { recursive: true }),
  };
}

/** Runs scripts one after another in one shell and returns what each writes to stdout; throws if any command fails. */
export async function runScripts(
  scripts: readonly string[],
  { cwd = root, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string[]> {
  // Background processes would keep the output open and outlive the test. Uses the shell's built-in kill: not every
  // machine has the program.
  const atTheEnd = "trap 'kill $(jobs -p) 2> /dev/null || :' EXIT\n";
  const script = atTheEnd + scripts.map((each) => `${each}\nprintf '\\0'\n`).join('');
  // On a busy machine, an answer may take longer than a person would wait.
  const options = { cwd, env: { ...process.env, AUTH_SERVICE_TIMEOUT: '600', ...env } };
  const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script], options);
  return stdout.split('\0').slice(0, -1);
}

/** Runs what npm and an installed `auth-service` would run, without the half second that npm takes to start. */
const npm = `npm() {
  case "$1 $2 $3 \${4-}" in
    'run -s manage --') program=cli/main.ts ;;
    'run -s smoke ') program=smoke/run-smoke.ts ;;
    *) echo "No document's test can run npm $*" >&2; return 1 ;;
  esac
  '${process.execPath}' --disable-warning=ExperimentalWarning '${root}'"/$program" "\${@:5}"
}
auth-service() { npm run -s manage -- "$@"; }`;

/** Folders that are copied instead of linked, because commands write files into them. */
const copied = ['client', 'examples', 'sdk'];

async function linkFiles(path: string): Promise<void> {
  const names = await readdir(root);
  const linked = names.filter((name) => !['.git', '.local', 'cdk.out', 'node_modules', ...copied].includes(name));
  await Promise.all([
    ...copied.map((name) => cp(join(root, name), join(path, name), { recursive: true })),
    ...linked.map((name) => symlink(join(root, name), join(path, name))),
    linkPackages(join(path, 'node_modules')),
  ]);
}

/** Links the packages of `npm ci`, with the SDK of the copy instead of the project's own. */
async function linkPackages(path: string): Promise<void> {
  const { name: client } = readClientPackage();
  const scope = dirname(client);
  await mkdir(join(path, scope), { recursive: true });
  await symlink(join(path, '../client/package'), join(path, client));
  const names = await readdir(join(root, 'node_modules'));
  const others = names.filter((name) => name !== scope);
  await Promise.all(others.map((name) => symlink(join(root, 'node_modules', name), join(path, name))));
}

async function writeExample(path: string, { url, manageUrl, accessKey, billingKey }: ExampleService): Promise<void> {
  const example = {
    baseUrl: url,
    manageUrl,
    region: localAccess.region,
    ...accessKey,
    ...billingKey,
    appId: 'billing',
  };
  await mkdir(join(path, '.local'));
  await writeFile(join(path, '.local/example.json'), JSON.stringify(example), { mode: 0o600 });
}

function atService(script: string, { url, manageUrl }: ExampleService): string {
  return script.replaceAll('127.0.0.1:3000', new URL(url).host).replaceAll('127.0.0.1:3001', new URL(manageUrl).host);
}
