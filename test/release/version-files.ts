/** Semantic Versioning 2.0.0; a suffix after a hyphen is a prerelease. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;
const UNRELEASED = '## Unreleased';

/** Files that contain the version, with the edit for each. */
export const VERSION_FILES: Readonly<Record<string, (text: string, from: string, to: string) => string>> = {
  'package.json': replaceOnce((version) => `"version": "${version}"`),
  'package-lock.json': replaceTwice((version) => `"version": "${version}"`),
  'clients/typescript/package.json': replaceOnce((version) => `"version": "${version}"`),
  'clients/typescript/README.md': (text, from, to) =>
    text.replaceAll(`doorstep-client-${from}.tgz`, `doorstep-client-${to}.tgz`),
};

/** Manifests that name where the sources are. */
const MANIFESTS: Readonly<Record<string, { directory?: string }>> = {
  'package.json': {},
  'clients/typescript/package.json': { directory: 'clients/typescript' },
};

/**
 * Writes `repository`, `homepage` and `bugs` into a manifest; undefined for any other file. `url` is the repository's
 * page, such as https://git.example/org/doorstep.
 */
export function nameRepository(file: string, text: string, url: string): string | undefined {
  const place = MANIFESTS[file];
  if (place === undefined) return undefined;
  const page = /^(https:\/\/[^\s/?#@]+\/[^\s?#]*[^\s?#/])\/?$/.exec(url)?.[1]?.replace(/\.git$/, '');
  if (page === undefined) throw new Error(`"${url}" is no repository such as https://git.example/org/doorstep.`);
  const repository = Object.assign({ type: 'git', url: `git+${page}.git` }, place);
  const links = { homepage: `${page}#readme`, repository, bugs: { url: `${page}/issues` } };
  return `${JSON.stringify(Object.assign(JSON.parse(text), links), null, 2)}\n`;
}

export function checkVersion(now: string, next: string): void {
  const [one, other] = [VERSION.exec(now), VERSION.exec(next)];
  if (!one || !other) throw new Error(`"${one ? next : now}" is no version such as 1.2.3.`);
  if (compareVersions(now, next) >= 0) throw new Error(`${next} does not come after ${now}.`);
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [VERSION.exec(one) ?? [], VERSION.exec(other) ?? []];
  for (const n of [1, 2, 3]) if (a[n] !== b[n]) return Number(a[n]) - Number(b[n]);
  // A prerelease sorts before its version.
  if (a[4] === undefined || b[4] === undefined) return Number(b[4] !== undefined) - Number(a[4] !== undefined);
  return a[4].localeCompare(b[4], 'en', { numeric: true });
}

/**
 * Moves the entries of "Unreleased", and of an undated section of the version, under the version and its date
 * (`YYYY-MM-DD`), by Keep a Changelog 1.1.0. Throws if there is nothing to release.
 */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const entries = unreleasedEntries(changelog, version);
  if (!/^[-*] /m.test(entries)) throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a section ${version} already.`);
  return withoutHeading(changelog, version).replace(UNRELEASED, () => `${UNRELEASED}\n\n## ${version} - ${date}`);
}

/** The next release's entries. Throws if the section is missing. */
export function unreleasedEntries(changelog: string, version: string): string {
  const [, section] = withoutHeading(changelog, version).split(/^## Unreleased$/m);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}".`);
  return section.split(/^## /m)[0]?.trim() ?? '';
}

/** Merges a section drafted before its release into the unreleased entries above it. */
const withoutHeading = (changelog: string, version: string): string => changelog.replace(`\n## ${version}\n\n`, '\n');

function replaceOnce(lineOf: (version: string) => string) {
  return (text: string, from: string, to: string): string => {
    if (!text.includes(lineOf(from))) throw new Error(`There is no ${lineOf(from)} to write again.`);
    return text.replace(lineOf(from), lineOf(to));
  };
}

/** A lock file contains the version at its top and in its root package. */
function replaceTwice(lineOf: (version: string) => string) {
  const once = replaceOnce(lineOf);
  return (text: string, from: string, to: string): string => once(once(text, from, to), from, to);
}
