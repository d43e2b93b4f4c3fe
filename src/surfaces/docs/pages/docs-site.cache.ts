import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from 'doorstep/html';
import moved from '../../../../docs/moved.json' with { type: 'json' };
import manifest from '../../../../package.json' with { type: 'json' };
import { bundleOnce } from '../../../platform/lib/bundle-once.cache.ts';
import { lazyAsync } from '../../../platform/lib/lazy-async.ts';
import { docsPage, documentPath, FRONT, pathFrom, readNavigation, type SiteFrame } from './docs.page.ts';
import { readSections, renderMarkdown } from './render-markdown.ts';

/* The documentation of this version as pages, rendered once per process from docs/, with an index for its search. */

const FOLDER = join(import.meta.dirname, '../../../../docs');
/** Documents at the top of the repository, and the pages that have their content. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'README.md': FRONT, 'ARCHITECTURE.md': 'architecture' };
/** Maximum length of a summary, about as much as search engines show. */
const SUMMARY_LENGTH = 160;

/** The site's own files, bundled once per process. */
export const docsFiles = bundleOnce(join(import.meta.dirname, '../../../../web/docs'), {
  style: 'page.css',
  script: 'page.ts',
  search: 'search.ts',
  icon: '../tracking/icon.svg',
});

/** This version's documentation, built only from the documents' folder. */
export type DocsSite = {
  /** Every page by path, rendered on request. */
  pages: ReadonlyMap<string, () => string>;
  images: ReadonlyMap<string, Buffer>;
  /** Returns the words of all pages, for search in the browser. */
  searchIndex(): SearchIndex;
};

/** The pages with their sections. */
export type SearchIndex = {
  page: string;
  title: string;
  sections: [anchor: string, heading: string, words: string][];
}[];

/**
 * Earlier addresses of pages and sections, and where they are now. An anchor that ends in `-` stands for all that begin
 * with it.
 */
const MOVED = Object.entries(moved);

/** The page of today for a renamed page. */
export const MOVED_PAGES: ReadonlyMap<string, string> = new Map(MOVED.filter(([from]) => !from.includes('#')));

/**
 * Old anchors of a page, for sections that have moved to other pages. A server never sees the anchor of an
 * address, so the page's script follows it.
 */
export function movedSections(page: string): [anchor: string, to: string][] {
  return MOVED.flatMap(([from, to]): [string, string][] => {
    const [earlier = '', anchor] = from.split('#');
    return anchor !== undefined && (MOVED_PAGES.get(earlier) ?? earlier) === page ? [[anchor, to]] : [];
  });
}

/** Read once per process. Rejects if a document cannot be read. */
export const docsSite = lazyAsync(async (): Promise<DocsSite> => {
  const [files, images, { style, script, search, icon }] = await Promise.all([
    readFiles('{*,adr/*}.md'),
    readFiles('images/*.{png,svg}'),
    docsFiles(),
  ]);
  const pages = new Map([...files].map(([file, bytes]) => [documentPath(file), { file, markdown: String(bytes) }]));
  const render = ({ file, markdown }: { file: string; markdown: string }) => {
    const linkTo = (target: string) => linkFrom(file, target, (path) => pages.has(path) || images.has(path));
    return renderMarkdown(markdown, {
      linkTo,
      image: (target, alt) => {
        const size = imageSize(images.get(join(file, '..', target)) ?? Buffer.alloc(0));
        return html`<img src="${linkTo(target)}" alt="${alt}" width="${size.width}" height="${size.height}" loading="lazy" decoding="async">`;
      },
    });
  };
  const frame: SiteFrame = {
    version: manifest.version,
    navigation: readNavigation(pages.get(FRONT)?.markdown ?? ''),
    files: { style: style.name, script: script.name, search: search.name, icon: icon.name },
  };
  const write = (page: string, doc: { file: string; markdown: string }) => {
    const body = render(doc);
    const sections = readSections(body);
    // A page may begin with its first section's heading.
    const words = sections.find((section) => section.body !== '')?.body ?? '';
    const summary = words.length <= SUMMARY_LENGTH ? words : words.slice(0, SUMMARY_LENGTH).replace(/\s\S*$/, '…');
    const sectionsMoved = movedSections(page);
    return docsPage(frame, {
      page,
      file: doc.file,
      moved: sectionsMoved,
      title: sections[0]?.text ?? page,
      summary,
      body,
      sections,
    });
  };
  return {
    pages: new Map([...pages].map(([page, doc]) => [page, () => write(page, doc)])),
    images,
    searchIndex: () =>
      [...pages].map(([page, doc]) => {
        const sections = readSections(render(doc));
        return {
          page,
          title: sections[0]?.text ?? page,
          sections: sections.map(({ anchor, text, body }) => [anchor, text, body]),
        };
      }),
  };
});

/** Resolves a link in a document; undefined for a file that is not of the site. */
function linkFrom(file: string, target: string, isKnown: (path: string) => boolean): string | undefined {
  if (/^([a-z]+:|#)/.test(target)) return target;
  const { pathname, hash } = new URL(target, `file:///docs/${file}`);
  const inRepository = pathname.slice(1);
  const path = ELSEWHERE[inRepository] ?? documentPath(inRepository.replace(/^docs\//, ''));
  const isOfSite = inRepository in ELSEWHERE || inRepository.startsWith('docs/');
  return isOfSite && isKnown(path) ? `${pathFrom(documentPath(file), path)}${hash}` : undefined;
}

async function readFiles(pattern: string): Promise<Map<string, Buffer>> {
  const files = globSync(pattern, { cwd: FOLDER }).sort();
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(FOLDER, file))] as const)));
}

/** Reads a PNG's or SVG's size in pixels, so that a page reserves the space before it loads. Throws for other bytes. */
function imageSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.toString('latin1', 1, 4) === 'PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const [, width, height] = /<svg\b[^>]*?\bviewBox="\S+ \S+ (\S+) (\S+)"/.exec(String(bytes)) ?? [];
  if (!width || !height) throw new Error('An image of a document is missing or has no size.');
  return { width: Number(width), height: Number(height) };
}
