import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages among the files of a bundle, under the text of their licence; throws for one that has none. */
export function thirdPartyNotice(project: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const named = [...folders].map((folder) => describe(join(project, folder)));
  const byLicence = Map.groupBy(named, ({ licence }) => licence);
  const sections = [...byLicence].map(([licence, packages]) => {
    const names = [...new Set(packages.map(({ name }) => name))].sort();
    return `${names.join('\n')}\n\n${licence}\n`;
  });
  return `auth-service contains these packages, each under the licence below its name.\n\n${sections.sort().join('\n')}`;
}

/** Packages of AWS that bring no file with their licence are under the one that their manifest names. */
const knownLicences: Readonly<Record<string, string>> = {
  'Apache-2.0': 'Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0',
};

function describe(folder: string): { readonly name: string; readonly licence: string } {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = readdirSync(folder).filter((one) => /^licen[cs]e(?:\.|$)/i.test(one));
  const licence = file === undefined ? knownLicences[license] : readFileSync(join(folder, file), 'utf8').trim();
  if (licence === undefined) throw new Error(`${name} has no licence that can be passed on`);
  return { name: `${name} ${version} (${license})`, licence };
}
