import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { MOVED_PAGES } from '../../src/surfaces/docs/pages/docs-site.cache.ts';
import { givenFolder } from '../given/folder.ts';
import { ROOT } from '../source-files.ts';
import { writeSite } from './write-site.ts';

const LINK = / (?:href|src|data-index|data-script)="([^"]*)"/g;

const folder = givenFolder('doorstep-docs');
before(async () => {
  for (const earlier of ['0.0.9', '0.0.10']) {
    mkdirSync(join(folder, earlier));
    writeFileSync(join(folder, earlier, 'index.html'), '');
  }
  await writeSite(folder);
});

test('the folder has a page for each document, and every link, image and anchor of every page leads to a file in it', () => {
  const pages = globSync('**/*.html', { cwd: folder });
  const documents = globSync('{*,adr/*}.md', { cwd: join(ROOT, 'docs') });
  assert.equal(pages.filter((page) => page.startsWith(manifest.version)).length, documents.length + MOVED_PAGES.size);
  const faults: string[] = [];
  for (const page of pages) {
    for (const [, link = ''] of readFileSync(join(folder, page), 'utf8').matchAll(LINK)) {
      if (/^https?:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      const isThere = !file.startsWith('..') && existsSync(join(folder, file));
      const hasAnchor = anchor === undefined || readFileSync(join(folder, file), 'utf8').includes(` id="${anchor}"`);
      if (!isThere || !hasAnchor) faults.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(faults, []);
});

test('a renamed page is a redirect, and moved sections lead to files', () => {
  const read = (file: string) => readFileSync(join(folder, manifest.version, file), 'utf8');
  for (const [from, to] of MOVED_PAGES) assert.ok(read(`${from}.html`).includes(`content="0; url=${to}.html"`), from);
  assert.ok(read('deployment.html').includes('[&quot;settings&quot;,&quot;configuration.html#settings&quot;]'));
});

test('versions that were written before stay, and the front lists them, the newest first', () => {
  const front = readFileSync(join(folder, 'index.html'), 'utf8');
  const listed = [...front.matchAll(/href="([\d.]+)\/index\.html"/g)].map(([, version]) => version);
  assert.deepEqual(listed, [manifest.version, '0.0.10', '0.0.9']);
});
