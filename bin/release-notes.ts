/** What a release says of itself: the section of its version in the changelog, without its heading. */
export function releaseNotes(changelog: string, version: string, { isDraft = false } = {}): string {
  const head = `## [${version}] - `;
  const section = changelog.split(/^(?=## )/m).find((text) => text.startsWith(head));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "${head}<date>"`);
  const [date = '', ...lines] = section.slice(head.length).split('\n');
  if (isDraft || /^\d{4}-\d{2}-\d{2}$/.test(date)) return `${lines.join('\n').trim()}\n`;
  throw new Error(`CHANGELOG.md has "${head}${date}": replace "${date}" by the date of the release, or pass --draft`);
}

/** Returns the version of all packages; refuses different ones, and names them. */
export function requireOneVersion(versions: Readonly<Record<string, string>>): string {
  const [version = '', ...others] = new Set(Object.values(versions));
  if (others.length === 0) return version;
  const list = Object.entries(versions).map(([file, each]) => `${file}: ${each}`);
  throw new Error(`All packages have the version of the release:\n${list.join('\n')}`);
}
