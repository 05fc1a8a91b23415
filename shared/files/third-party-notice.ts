import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The packages among the inputs of a bundle, grouped by the text of their licence and notices. Paths may be relative to the
 * project. Throws if a package has no licence.
 */
export function thirdPartyNotice(project: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const named = [...folders].map((folder) => describe(resolve(project, folder)));
  const byLicence = Map.groupBy(named, ({ licence }) => licence);
  const sections = [...byLicence].map(([licence, packages]) => {
    const names = [...new Set(packages.map(({ name }) => name))].sort();
    return `${names.join('\n')}\n\n${licence}\n`;
  });
  return `auth-service contains these packages, each under the licence below its name.\n\n${sections.sort().join('\n')}`;
}

/** The licences that manifests name, for packages without a licence file, as those of AWS and Middy. */
const knownLicences: Readonly<Record<string, string>> = {
  'Apache-2.0': 'Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0',
  'MIT-0': 'MIT No Attribution: https://github.com/aws/mit-0',
  MIT: `MIT License

Copyright (c) {author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};

function describe(folder: string): { readonly name: string; readonly licence: string } {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).sort();
  const textsOf = (pattern: RegExp) =>
    files.filter((one) => pattern.test(one)).map((one) => readFileSync(join(folder, one), 'utf8').trim());
  const known = knownLicences[license]?.replace('{author}', author?.name ?? author ?? name);
  const [licence = known] = textsOf(/^licen[cs]e(?:\.|$)/i);
  if (licence === undefined) throw new Error(`${name} has no licence file, and its licence ${license} is not known`);
  // Apache-2.0 section 4 (d) requires the notice, and the package may contain others, such as a font.
  const notices = textsOf(/^(?:notice|third-party-licen[cs]es)(?:\.|$)/i);
  return { name: `${name} ${version} (${license})`, licence: [licence, ...notices].join('\n\n') };
}
