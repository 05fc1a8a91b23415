import { mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Template, templateIn } from '../stack/synthesized-stack.ts';

/** Makes an assembly with another template and the same bundles. */
export async function alterAssembly(assembly: string, alter: (template: Template) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assembly-'));
  const names = await readdir(assembly);
  const own = names.find((name) => /^AuthService.*\.template\.json$/.test(name)) ?? '';
  for (const name of names) if (name !== own) await symlink(resolve(assembly, name), join(folder, name));
  const template = structuredClone(templateIn(assembly));
  alter(template);
  await writeFile(join(folder, own), JSON.stringify(template));
  return folder;
}
