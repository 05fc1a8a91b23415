import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { javaLibraries, javaPackages } from './java-archives.ts';
import { project, runProgram } from './run-program.ts';

const from = `the Debian packages ${javaPackages.join(' ')}`;

/**
 * A sentence says what a method returns and takes, so its tags may be left out. Everything else that the tool warns of is an error:
 * a missing comment, a wrong reference, malformed HTML.
 */
const tagsAlone = /: warning: no @(param|return|throws)\b/;

/** Writes the pages of the SDK for Java and of its filters; rejects if anything public has no comment. */
export async function javaReference(target: string, sources = join(project, 'sdk/java/src')): Promise<void> {
  const files = globSync('{main,servlet,spring}/java/**/*.java', { cwd: sources }).map((path) => join(sources, path));
  const archives = mkdtempSync(join(tmpdir(), 'auth-service-reference-'));
  try {
    const options = ['-quiet', '-Xdoclint:all', '-Xmaxwarns', '10000', '--release', '17', '-encoding', 'UTF-8'];
    const classPath = (await servletArchives(archives)).join(':');
    const args = [...options, '-windowtitle', 'authservice', '-classpath', classPath, '-d', target, ...files];
    const { stdout, stderr } = await runProgram('javadoc', args, { from, env: { LC_ALL: 'C.UTF-8' } });
    const found = `${stdout}${stderr}`.split('\n').filter((line) => /: (warning|error): /.test(line));
    const wrong = found.filter((line) => !tagsAlone.test(line));
    if (wrong.length > 0) throw new Error(`javadoc warns:\n${wrong.join('\n')}`);
  } finally {
    rmSync(archives, { recursive: true });
  }
}

/** The archives of the servlet API and of Spring, whose Debian archives are for an older API. */
async function servletArchives(folder: string): Promise<string[]> {
  const missing = [...javaLibraries.spring, ...javaLibraries.servlet].find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`${missing} is not installed: install ${from}`);
  const converted = javaLibraries.spring.map((path) => join(folder, basename(path)));
  for (const [at, path] of javaLibraries.spring.entries())
    await runProgram('javax2jakarta', [path, converted[at] ?? ''], { from });
  return [...converted, ...javaLibraries.servlet];
}
