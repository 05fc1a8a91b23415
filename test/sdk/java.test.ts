import { execFile } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClient } from '../../client/build/build-client.ts';
import { javaLibraries } from '../../sdk/reference/java-archives.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { expectObeys } from '../support/check-application.ts';
import { needing } from '../support/needing.ts';
import { openReader } from '../support/page-reader.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { expectSignedRequests } from '../support/signed-requests.ts';
import { textOf } from '../support/source-files.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const page = await readDocument('sdk/java/README.md');
const java = needing('Java');
const javaWithLibraries = needing('Java packages');
const { spring, servlet, tests } = javaLibraries;

let service: TestService;
let folder: ProjectFolder;
let sdk: string;
let out: string;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startSources();
  folder = await openProjectFolder(service);
  sdk = join(folder.path, 'sdk/java');
  out = join(folder.path, '.local/java-out');
  mkdirSync(out);
  const { keyId: KEY_ID, secret: SECRET } = service.billingKey;
  const reader = await service.issueKey('billing', ['access:read']);
  env = { BASE_URL: service.url, KEY_ID, SECRET, READER_ID: reader.keyId, READER_SECRET: reader.secret };
  env.USERS = JSON.stringify({ ids: awkwardUserIds });
  // The ten seconds of the SDK are for an answer, not for the start of a function on a busy machine.
  await service.request(['GET', '/api/service/users/ada/access']);
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: sdk, env: { ...process.env, ...env, LC_ALL: 'C.UTF-8' }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(program, args, options).catch(({ stdout: said, stderr }) => {
    throw new Error(`${program} ${args}\n${said}\n${stderr}`);
  });
  return stdout;
}

/** Compiles sources without a warning; the paths of Debian's archives name some that are not installed. */
async function compile(sources: string, classPath: readonly string[], ...options: readonly string[]): Promise<void> {
  const files = globSync(sources, { cwd: sdk });
  expect(files).not.toEqual([]);
  const strict = ['-Xlint:all,-path', '-Werror', '-proc:none', '--release', '17', ...options];
  await run('javac', ...strict, '-classpath', classPath.join(':'), '-d', out, ...files);
}

// Without the second compiler and its collectors, which take longer to start than these runs take.
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

function runClass(name: string, classPath: readonly string[], ...args: readonly string[]): Promise<string> {
  return run(
    'java',
    ...quickStart,
    `-Djava.io.tmpdir=${out}`,
    '-Dkit=../conformance',
    '-classpath',
    [out, ...classPath].join(':'),
    name,
    ...args,
  );
}

java.test('the quickstart of the SDK for Java prints what it shows', async () => {
  const reader = await openReader();
  await reader.walk('sdk/java/README.md').finally(reader.close);
});

java.test('another library accepts 500 random signatures of the SDK for Java', async () => {
  // The documentation of everything public is complete and right.
  await compile('src/main/java/**/*.java', [], '-Xdoclint:all,-missing');
  await compile('src/test/java/authservice/{Kit,SignRequests}.java', [out]);
  await expectSignedRequests(await runClass('authservice.SignRequests', []));
});

/** Compiles everything, and returns the class path. */
async function compileAll(): Promise<string[]> {
  const jakarta = spring.map((archive) => join(out, basename(archive)));
  for (const [at, archive] of spring.entries()) await run('javax2jakarta', archive, jakarta[at] ?? '');
  const classPath = [out, ...jakarta, ...servlet, ...tests];
  await compile('src/main/java/**/*.java', classPath);
  await compile('src/{servlet,spring}/java/**/*.java', classPath);
  await compile('src/test/java/**/*.java', classPath);
  return classPath;
}

let compiled: Promise<string[]> | undefined;
function compileOnce(): Promise<string[]> {
  compiled ??= compileAll();
  return compiled;
}

javaWithLibraries.test('the tests of the SDK for Java pass, also those of both filters in Tomcat', async () => {
  const classPath = await compileOnce();
  const names = globSync('*Test.java', { cwd: join(sdk, 'src/test/java/authservice') });
  const classes = names.map((name) => `authservice.${basename(name, '.java')}`);
  const said = await runClass('org.junit.runner.JUnitCore', classPath, ...classes);
  expect(Number(/^OK \((\d+) tests\)$/m.exec(said)?.[1])).toBeGreaterThan(150);
});

javaWithLibraries.test('the guarded application of the README admits who may enter', async () => {
  const classPath = await compileOnce();
  const [guarded = '', source = ''] = page.blocks('java');
  writeFileSync(join(sdk, 'Access.java'), guarded);
  writeFileSync(join(sdk, 'Guarded.java'), guardedApplication(source));
  await compile('{Access,Guarded}.java', classPath);
  const statuses = (await runClass('authservice.Guarded', classPath)).trim().split('\n');
  expect(statuses).toEqual(['200 403 401', '200 403 401']);
});

javaWithLibraries.test('an application with either filter obeys in all cases of the command', async () => {
  const classPath = [out, ...(await compileOnce())].join(':');
  await buildClient(join(folder.path, 'client/package'));
  const program = ['java', ...quickStart, '-classpath', classPath, 'authservice.GuardedApplication'];
  await Promise.all([
    expectObeys(folder, 'editor', [...program, 'servlet'], { cwd: sdk }),
    expectObeys(folder, 'editor', [...program, 'spring'], { cwd: sdk }),
    expectObeys(folder, 'open', [...program, 'open'], { cwd: sdk }),
  ]);
});

/** A program that asks the application of the README, with the client and with the source for tests. */
function guardedApplication(source: string): string {
  return `package authservice;

final class Guarded {
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var key = new Key(env.get("KEY_ID"), env.get("SECRET"));
        ask(new Client(new ClientOptions(env.get("BASE_URL"), key)));
        ${source}
        ask(source);
    }

    private static void ask(Decider source) throws Exception {
        try (var application = new GuardedApplication(app.Access.filter(source))) {
            var statuses = new java.util.ArrayList<String>();
            for (var user : new String[] {"ada", "nobody", null}) statuses.add("" + application.ask(user).statusCode());
            System.out.println(String.join(" ", statuses));
        }
    }
}
`;
}

test('the core of the SDK for Java imports nothing but the JDK', () => {
  const sources = globSync('sdk/java/src/main/java/**/*.java', { cwd: join(import.meta.dirname, '../..') });
  expect(sources.length).toBeGreaterThan(30);
  const imported = sources.flatMap((path) => [...textOf(path).matchAll(/^import (?:static )?([\w.]+);/gm)]);
  expect(imported.map(([, name = '']) => name).filter((name) => !/^javax?\./.test(name))).toEqual([]);
});
