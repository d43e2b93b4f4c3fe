import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openPage } from '../../../../test/given/page.ts';
import { givenApp } from '../../../../test/harness.ts';
import { anchorsOf, CITING_FILES, withMovedLinks } from '../../../../test/references.ts';
import { ROOT, textOf } from '../../../../test/source-files.ts';
import { MOVED_PAGES, movedSections } from './docs-site.cache.ts';

const app = await givenApp();

const read = (url: string, headers: Record<string, string> = {}) => app.service.http.inject({ url, headers });
const DOCUMENTS = globSync('{*,adr/*}.md', { cwd: join(ROOT, 'docs') });
const servedPath = (file: string) => `/docs/${file.replace(/\/?README\.md$/, '').replace(/\.md$/, '')}`;
const anchorIds = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
const findLinks = (page: string) =>
  [...page.matchAll(/ (?:href|src|data-index|data-script)="([^"]*)"/g)].map(([, link = '']) => link);

test('every document is a page with the anchors that GitHub gives its headings, each id once', async () => {
  assert.ok(DOCUMENTS.length > 50);
  for (const file of DOCUMENTS) {
    const { statusCode, body, headers } = await read(servedPath(file));
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'], file);
    const ids = anchorIds(body);
    assert.deepEqual(new Set(ids).size, ids.length, file);
    const missing = [...anchorsOf(readFileSync(join(ROOT, 'docs', file), 'utf8'))].filter((id) => !ids.includes(id));
    assert.deepEqual(missing, [], file);
  }
});

test('every page sets its own title and description, one first heading, and images with words and a size', async () => {
  const descriptions = new Set<string>();
  for (const file of DOCUMENTS) {
    const { body } = await read(servedPath(file));
    const [, description = ''] = /<meta name="description" content="([^"]*)">/.exec(body) ?? [];
    assert.ok(description.length >= 40, `${file}: ${description}`);
    descriptions.add(description);
    assert.match(body, /<html lang="en">[\s\S]*<title>[^<]{10,}<\/title>/, file);
    const levels = [...body.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
    assert.deepEqual([levels[0], levels.lastIndexOf(1)], [1, 0], file);
    const jumps = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
    assert.deepEqual(jumps, [], file);
    for (const [image] of body.matchAll(/<img[^>]*>/g))
      assert.match(image, /alt="[^"]+" width="\d+" height="\d+"/, file);
  }
  assert.equal(descriptions.size, DOCUMENTS.length);
});

test('every table cell has a heading: its column’s, or its row’s where a column has no name', async () => {
  const tables: [string, string][] = [];
  for (const file of DOCUMENTS) {
    for (const [table] of (await read(servedPath(file))).body.matchAll(/<table>[\s\S]*?<\/table>/g))
      tables.push([file, table]);
  }
  assert.ok(tables.length > 100);
  for (const [file, table] of tables) {
    const [head = '', ...rows] = table.match(/<tr>[\s\S]*?<\/tr>/g) ?? [];
    const hasUnnamed = head.includes('<td></td>');
    const wrong = rows.filter((row) => row.startsWith('<tr><th scope="row">') !== hasUnnamed);
    assert.deepEqual(wrong, [], file);
  }
});

test('a page with its style and script stays within 60 kB over the wire, and the first has no pictures', async (t) => {
  for (const path of ['/docs/', '/docs/alerts', '/docs/command-line', '/docs/tutorial']) {
    const { body } = await read(path);
    const parts = [...body.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, name]) => `/docs/${name}`);
    assert.equal(parts.length, 3);
    if (path === '/docs/') assert.doesNotMatch(body, /<img/);
    const sizes = await Promise.all([path, ...parts].map((part) => read(part, { 'accept-encoding': 'br' })));
    const bytes = sizes.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0);
    t.diagnostic(`${path}: ${bytes} bytes`);
    assert.ok(bytes <= 60_000, `${path}: ${bytes}`);
  }
});

test('every link, image, script and style of every page exists, and every anchor has its target', async () => {
  const pages = new Map<string, string>();
  const faults: string[] = [];
  const open = async (address: string): Promise<string | undefined> => {
    const known = pages.get(address);
    if (known !== undefined) return known;
    const { statusCode, body } = await read(address);
    if (statusCode === 200) pages.set(address, body);
    return statusCode === 200 ? body : undefined;
  };
  for (const page of DOCUMENTS.map(servedPath)) {
    for (const link of findLinks((await open(page)) ?? '')) {
      if (/^https?:/.test(link)) continue;
      const { pathname, hash } = new URL(link, `http://host${page}`);
      const target = await open(pathname);
      const anchor = decodeURIComponent(hash.slice(1));
      if (target === undefined || (anchor !== '' && !anchorIds(target).includes(anchor)))
        faults.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(faults, []);
});

test('every page but the single decisions is in the navigation, once', async () => {
  const { body } = await read('/docs/');
  const [menu = ''] = /<nav class="menu"[\s\S]*?<\/nav>/.exec(body) ?? [];
  const listed = findLinks(menu).map((link) => new URL(link, 'http://host/docs/').pathname);
  const pages = DOCUMENTS.filter((file) => !file.startsWith('adr/')).map(servedPath);
  assert.deepEqual(listed.toSorted(), [...pages, '/docs/adr'].toSorted());
});

test('docs/ references in comments and documents exist at the same address on the site', async () => {
  const cited = CITING_FILES.flatMap(
    (file) => withMovedLinks(file, textOf(file)).match(/\bdocs\/[\w/.-]+\.md(?:#[\w-]+)?/g) ?? [],
  );
  assert.ok(cited.length > 100);
  for (const citation of new Set(cited)) {
    const [file = '', anchor] = citation.split('#');
    const moved = await read(`/${file}`);
    assert.equal(moved.statusCode, 301, citation);
    const page = await read(new URL(String(moved.headers.location), `http://host/${file}`).pathname);
    assert.equal(page.statusCode, 200, citation);
    if (anchor !== undefined) assert.ok(anchorIds(page.body).includes(anchor), citation);
  }
});

test('a page has one address: a trailing slash, its file’s ending and the bare folder lead there', async () => {
  const cases: [string, string][] = [
    ['/docs', '/docs/'],
    ['/docs/alerts/', '/docs/alerts'],
    ['/docs/README.md', '/docs/'],
    ['/docs/alerts.md?x=/', '/docs/alerts'],
    ['/docs/adr/0003-change-clock.md', '/docs/adr/0003-change-clock'],
    ['/docs/adr/0003-change-clock/', '/docs/adr/0003-change-clock'],
    ['/docs/adr/README.md', '/docs/adr'],
  ];
  for (const [requested, address] of cases) {
    const { statusCode, headers } = await read(requested);
    const to = new URL(String(headers.location), `http://host${requested}`);
    assert.deepEqual([statusCode, to.pathname, to.host], [301, address, 'host'], requested);
    assert.equal((await read(address)).statusCode, 200, address);
  }
});

test('an earlier address redirects to the page of today, and its script to the section', async (t) => {
  for (const [from, to] of MOVED_PAGES) {
    for (const address of [`/docs/${from}`, `/docs/${from}.md`]) {
      const { statusCode, headers } = await read(address);
      assert.deepEqual([statusCode, headers.location], [301, to], address);
    }
  }
  for (const page of DOCUMENTS.map((file) => servedPath(file).slice('/docs/'.length))) {
    const ids = anchorIds((await read(`/docs/${page}`)).body);
    for (const [from, to] of movedSections(page)) {
      const [target, anchor = ''] = to.split('#');
      const there = await read(`/docs/${target}`);
      assert.equal(there.statusCode, 200, to);
      assert.ok(!ids.includes(from), `${page}#${from}`);
      assert.ok(anchor === '' || anchorIds(there.body).some((id) => id.startsWith(anchor)), to);
    }
  }
  const url = await app.service.listen();
  const page = await openPage(t, `${url}/docs/deployment#alert-backup`);
  await page.at(/\/docs\/alerts#alert-backup$/);
  await page.open(`${url}/docs/deployment#settings`);
  await page.at(/\/docs\/configuration#settings$/);
});

test('pages, images and words are compressed no more than once and sent again only to clients that lack them', async () => {
  const image = `/docs/${globSync('images/*.png', { cwd: join(ROOT, 'docs') })[0]}`;
  for (const path of [
    '/docs/',
    '/docs/alerts',
    '/docs/search/words.json',
    '/docs/images/architecture-order.svg',
    image,
  ]) {
    const whole = await read(path);
    const unpack = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const [encoding, unpacked] of Object.entries(unpack)) {
      const { headers, rawPayload } = await read(path, { 'accept-encoding': encoding });
      assert.equal(headers['content-encoding'], path === image ? undefined : encoding, path);
      assert.equal(headers.etag, whole.headers.etag);
      assert.ok((path === image ? rawPayload : unpacked(rawPayload)).equals(whole.rawPayload), path);
    }
    const known = await read(path, { 'if-none-match': String(whole.headers.etag) });
    assert.deepEqual([known.statusCode, known.rawPayload.length], [304, 0], path);
    assert.equal(whole.headers['cache-control'], 'public, no-cache');
  }
});

test('a page loads, runs and requests only its own host', async () => {
  for (const path of ['/docs/', '/docs/adr/0003-change-clock']) {
    const { headers, body } = await read(path);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self'/);
    assert.doesNotMatch(body, / style=| on\w+=|<style|<script(?! type="module" src)/);
    assert.doesNotMatch(body, /(?:src|action)="https?:/);
  }
});

test('only files below docs/ are ever read, whatever the path', async () => {
  const up = ['..', '%2e%2e', '..%2f..', '%2e%2e%2f%2e%2e', '..%5c..', '....//', '%252e%252e%252f', '.%00.'];
  const files = [
    'package.json',
    'README.md',
    'src/platform/config/config.ts',
    '.data/postgres/admin-password',
    '.git/config',
  ];
  const folders = ['/docs/', '/docs/adr/', '/docs/images/', '/docs/assets/'];
  const secrets = ['"devDependencies"', 'export function', '[core]', 'npm ci && npm start     #'];
  for (const folder of folders) {
    for (const file of [...up.flatMap((way) => files.map((one) => `${way}/${one}`)), ...up, '__proto__']) {
      for (const path of [`${folder}${file}`, `${folder}${encodeURIComponent(file)}`]) {
        const { statusCode, body, headers } = await read(path);
        const { pathname } = new URL(path, 'http://host');
        // A client that follows RFC 3986 normalizes the dots itself, and so may request another page.
        if (pathname === path) assert.ok([301, 400, 404].includes(statusCode), `${path}: ${statusCode}`);
        for (const secret of secrets) assert.ok(!body.includes(secret), path);
        if (statusCode === 301) assert.ok(!/^[/\\]|:/.test(String(headers.location)), String(headers.location));
      }
    }
  }
});

test('an absent document is rejected like any path', async () => {
  for (const path of ['/docs/nothing', '/docs/adr/nothing', '/docs/images/nothing.png', '/docs/assets/nothing.js']) {
    const { status, body } = await app.get(path);
    assert.deepEqual([status, body.code], [404, 'route_not_found'], path);
  }
});

test('an absent page is a page with a link for a browser, and a problem for every other client', async () => {
  for (const [url, front] of [
    ['/docs/nope', './'],
    ['/docs/adr/nope', '../'],
  ] as const) {
    const page = await read(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    assert.deepEqual([page.statusCode, page.headers['content-type']], [404, 'text/html; charset=utf-8'], url);
    assert.ok(page.body.includes(`href="${front}"`), url);
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const problem = await read(url, { accept });
      assert.deepEqual([problem.statusCode, problem.json().code], [404, 'route_not_found'], `${url} ${accept}`);
    }
  }
});
