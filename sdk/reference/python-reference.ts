import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project, runProgram } from './run-program.ts';

const sources = join(project, 'sdk/python/src');
const from = 'the Debian package python3-sphinx';

/** What the SDK imports, which its reference does not need. */
const configuration = `project = "auth_service"
extensions = ["sphinx.ext.autodoc"]
autodoc_mock_imports = ["anyio", "cryptography", "django", "flask", "httpx", "pytest", "starlette"]
autodoc_default_options = {"members": True, "imported-members": True, "undoc-members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "description"
`;

/** Writes the pages of the modules that applications import; rejects if a comment is malformed. */
export async function pythonReference(target: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-reference-'));
  try {
    const names = publicModules();
    writeFileSync(join(folder, 'conf.py'), configuration);
    const index = names.map((name) => `   ${name}\n`).join('');
    writeFileSync(join(folder, 'index.rst'), `${titled('The SDK for Python')}.. toctree::\n\n${index}`);
    for (const name of names) writeFileSync(join(folder, `${name}.rst`), `${titled(name)}.. automodule:: ${name}\n`);
    const options = ['-m', 'sphinx', '-W', '--keep-going', '-q', '-b', 'html', '-d', join(folder, 'doctrees')];
    const env = { PYTHONPATH: sources, PYTHONDONTWRITEBYTECODE: '1' };
    // Debian's Python, for which Debian's Sphinx is.
    await runProgram('/usr/bin/python3', [...options, folder, target], { from, env }).catch(explain);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The modules that say what they export: the others are not for applications. */
function publicModules(): string[] {
  const paths = globSync('auth_service/**/*.py', { cwd: sources }).filter((path) => !/\/_(?!_init__)/.test(path));
  const exporting = paths.filter((path) => /^__all__ = /m.test(readFileSync(join(sources, path), 'utf8')));
  return exporting.map((path) => path.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.')).sort();
}

function titled(title: string): string {
  return `${title}\n${'='.repeat(title.length)}\n\n`;
}

function explain(error: unknown): never {
  if (/No module named sphinx/.test(String(error))) throw new Error(`Sphinx is not installed: install ${from}`);
  throw error;
}
