import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { html, toMarkup } from '../../src/platform/lib/html.ts';
import { readDocsSite } from '../../src/surfaces/docs/pages/docs-site.cache.ts';
import { FRONT } from '../../src/surfaces/docs/pages/site-links.ts';

const VERSION = /^\d+\.\d+\.\d+/;

/**
 * Writes this version's documents as static files, the same pages as at /docs. The folder keeps previously written
 * versions, and its index lists them, newest first.
 */
export async function writeSite(folder: string): Promise<{ version: string; files: number; bytes: number }> {
  const { version, pages, images, assets, searchIndex } = await readDocsSite({ suffix: '.html', hasReference: false });
  const files = new Map<string, string | Buffer>([['search/words.json', searchIndex()]]);
  for (const [page, write] of pages) files.set(`${page === FRONT ? 'index' : page}.html`, write());
  for (const [path, { bytes }] of images) files.set(path, bytes);
  for (const [name, { bytes }] of assets) files.set(`assets/${name}`, bytes);
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
  return { version, files: files.size, bytes };
}

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
  const { version, files, bytes } = await writeSite(folder);
  process.stdout.write(`${files} files of version ${version}, ${bytes} bytes, in ${folder}\n`);
}
