import { globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';
import { ROOT } from './source-files.ts';

/** Every file that may cite or be cited. */
export const FILES: readonly string[] = globSync(
  [
    '*.md',
    '{src,packages,plugins,test,bench,web,demo,examples,migrations,docs,bin}/**/*.*',
    'clients/*/{*.*,src/*.*}',
    'bin/doorstep',
  ],
  { cwd: ROOT },
).sort();

const KNOWN: ReadonlySet<string> = new Set(FILES.flatMap((file) => [file, ...foldersOf(file)]));
const CITING = /\.(ts|md|sql|css)$|^bin\/doorstep$/;
/** Files searched for references, except this test's and the runner's, which contain made-up ones. */
export const CITING_FILES = FILES.filter(
  (file) => CITING.test(file) && !/^test\/(references\.|runner\/runner\.nightly\.test\.)/.test(file),
);

const FENCE = /^```[^\n]*\n[\s\S]*?^```$/gm;
/** The first line of a documented program: the file name for it. */
const NAME_OF_BLOCK = /(?<=^```ts\n)\/\/ [\w-]+\.ts$/gm;
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;
/** Globs, which the runner's test compares with the files. */
const COVERS = /^\/\/ covers: .*$/gm;
const SQL_COMMENTS = /--.*$/gm;
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
const CITED_DOC = /\bdocs\/[\w/.-]+\.md(?:#[\w-]+)?/g;
const CITED_ADR = /\bADR (\d+)\b/g;
const CITED_FOLDER =
  /(?<![\w./-])(?:src|packages|plugins|test|bench|web|demo|migrations|docs|bin|clients)\/[\w./-]*[\w/]/g;
/** A path or a bare name, `*` included; a suffix alone (`.db.ts`) does not count. */
const CITED_FILE = /(?<![\w@./*-])[\w@*][\w@./*-]*\.(?:ts|sql|css|md)(?!\w|\.\w)/g;
/** Papers that are not in the repository. */
const OUTSIDE_PAPER = /\bdecisions, section\b|\binterface, |\b(?:interface|decisions|feed|house|house-2|style)\.md\b/gi;

/** Citations of things that the repository does not have, one message each. */
export function faultsIn(file: string, content: string): string[] {
  const text = withMovedLinks(file, content);
  const isDoc = file.endsWith('.md');
  const said = isDoc ? text.replaceAll(NAME_OF_BLOCK, '') : commentsOf(file, text);
  const faults = [
    ...cited(text, OUTSIDE_PAPER, () => false),
    ...cited(text, CITED_DOC, (target) => isAnchor(...splitTarget(target))),
    ...cited(text, CITED_ADR, (_, number = '') => hasAdr(number)),
    ...cited(said, CITED_FOLDER, (path) => KNOWN.has(path.replace(/\/$/, '')) || CITING.test(path)),
    ...cited(said, CITED_FILE, isFile),
    ...(isDoc ? cited(text.replaceAll(FENCE, ''), LINK, (_, target = '') => isLinked(file, target)) : []),
  ];
  return [...new Set(faults)].map((what) => `${file}: ${what}`);
}

/** Anchors of a document by GitHub's rules: repeated headings are numbered. A renamed heading keeps its old anchor. */
export function anchorsOf(markdown: string): Set<string> {
  const text = markdown.replaceAll(FENCE, '');
  const anchors = new Set<string>(text.matchAll(/^<a id="([\w-]+)"><\/a>$/gm).map(([, id = '']) => id));
  for (const [, heading = ''] of text.matchAll(/^#{1,6} +(.*)$/gm)) {
    const plain = heading.replaceAll(LINK, (link) => link.slice(1, link.indexOf(']')));
    const anchor = plain
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let number = 0;
    while (anchors.has(number === 0 ? anchor : `${anchor}-${number}`)) number += 1;
    anchors.add(number === 0 ? anchor : `${anchor}-${number}`);
  }
  return anchors;
}

const cited = (text: string, pattern: RegExp, resolves: (match: string, part?: string) => boolean): string[] =>
  [...text.matchAll(pattern)].flatMap(([match, part]) => (resolves(match, part) ? [] : [match]));

/** Comments only: the compiler checks the code. */
const commentsOf = (file: string, text: string): string =>
  (text.replace(COVERS, '').match(file.endsWith('.sql') ? SQL_COMMENTS : COMMENTS) ?? []).join('\n');

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

/** A landed migration keeps its text: its links lead where the service redirects readers. */
export const withMovedLinks = (file: string, content: string): string =>
  file.startsWith('migrations/') ? content.replaceAll(CITED_DOC, movedTo) : content;

function movedTo(citation: string): string {
  const moved: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'docs/moved.json'), 'utf8'));
  const [page, anchor] = moved[citation.replace(/^docs\/|\.md/g, '')]?.split('#') ?? [];
  if (page === undefined) return citation;
  return `docs/${page}.md${anchor === undefined ? '' : `#${anchor}`}`;
}

function splitTarget(target: string): [path: string, anchor: string | undefined] {
  const [path = '', anchor] = target.split('#');
  return [path, anchor];
}

function isAnchor(path: string, anchor: string | undefined): boolean {
  if (!KNOWN.has(path)) return false;
  return anchor === undefined || anchorsOf(readFileSync(join(ROOT, path), 'utf8')).has(anchor);
}

function isLinked(file: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true;
  const [path, anchor] = splitTarget(target);
  return isAnchor(path === '' ? file : normalize(join(dirname(file), path)).replace(/\/$/, ''), anchor);
}

const hasAdr = (number: string): boolean =>
  FILES.some((file) => file.startsWith(`docs/adr/${number.padStart(4, '0')}-`));

/** Matches a whole path or the end of one; a placeholder in capitals (`adapters/VENDOR.ts`) matches any name. */
function isFile(name: string): boolean {
  const pattern = name.replaceAll(/\b[A-Z]+(?=\/|\.ts$)/g, '*');
  if (!pattern.includes('*')) return FILES.some((file) => file === name || file.endsWith(`/${name}`));
  return FILES.some((file) => matchesGlob(file, pattern) || matchesGlob(file, `**/${pattern}`));
}
