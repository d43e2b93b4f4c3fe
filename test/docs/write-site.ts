import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { html, toMarkup } from 'doorstep/html';
import manifest from '../../package.json' with { type: 'json' };
import { FRONT, pathFrom } from '../../src/surfaces/docs/pages/docs.page.ts';
import { docsFiles, docsSite, MOVED_PAGES, movedSections } from '../../src/surfaces/docs/pages/docs-site.cache.ts';

const { version } = manifest;
const VERSION = /^\d+\.\d+\.\d+/;

/**
 * Writes this version's documents as static files, the same pages as at /docs, and a redirect for each renamed page. The
 * folder keeps previously written versions, and its index lists them, newest first.
 */
export async function writeSite(folder: string): Promise<{ files: number; bytes: number }> {
  const { pages, images, searchIndex } = await docsSite();
  const words = searchIndex().map((doc) => ({ ...doc, page: fileOf(doc.page) }));
  const files = new Map<string, string | Buffer>([['search/words.json', JSON.stringify(words)], ...images]);
  for (const [from, to] of MOVED_PAGES) files.set(fileOf(from), movedPage(fileOf(to)));
  for (const [page, write] of pages) files.set(fileOf(page), withFileLinks(page, write(), pages));
  for (const [name, { bytes }] of (await docsFiles()).byName) files.set(`assets/${name}`, bytes);
  await rm(join(folder, version), { recursive: true, force: true });
  let bytes = 0;
  for (const [path, content] of files) {
    const target = join(folder, version, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    bytes += Buffer.byteLength(content);
  }
  const names = (await readdir(folder)).filter((name) => VERSION.test(name));
  await writeFile(join(folder, 'index.html'), versionsPage(names));
  return { files: files.size, bytes };
}

const fileOf = (page: string) => `${page === FRONT ? 'index' : page}.html`;

/** Keeps the anchor, which the new page's script may follow to another page. */
const movedPage = (to: string): string =>
  toMarkup(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Moved</title><link rel="canonical" href="${to}">
<script>location.replace("${to}" + location.hash)</script><meta http-equiv="refresh" content="0; url=${to}"></head>
<body><p><a href="${to}">This page has moved</a></p></body>
</html>
`);

/** The page with links to files, and to the list of versions in place of the reference, which only a service has. */
function withFileLinks(page: string, markup: string, pages: ReadonlyMap<string, unknown>): string {
  return markup
    .replace(/ href="([^":#]+)(#[^"]*)?"/g, (link, path: string, hash = '') => {
      const target = join(dirname(page), path)
        .replace(/^\.?\/?$/, FRONT)
        .replace(/\/$/, '');
      return pages.has(target) ? ` href="${pathFrom(page, fileOf(target))}${hash}"` : link;
    })
    .replace(/ data-moved="[^"]*"/, toMarkup(html` data-moved="${JSON.stringify(movedTo(page))}"`))
    .replace(/(<a class="reference" href=")[^"]*">[^<]*/, `$1${pathFrom(page, '../index.html')}">All versions`);
}

const movedTo = (page: string) =>
  movedSections(page).map(([anchor, to]) => [anchor, to.replace(/^[^#]+/, (target) => fileOf(target))]);

function versionsPage(names: readonly string[]): string {
  const newestFirst = [...names].sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  return toMarkup(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Doorstep documentation</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"></head>
<body><main><h1>Doorstep documentation</h1>
<ul>${newestFirst.map((name) => html`<li><a href="${name}/index.html">${name}</a></li>`)}</ul></main></body>
</html>
`);
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? 'docs-site');
  const { files, bytes } = await writeSite(folder);
  process.stdout.write(`${files} files of version ${version}, ${bytes} bytes, in ${folder}\n`);
}
