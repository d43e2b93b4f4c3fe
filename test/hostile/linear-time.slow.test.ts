import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { createApp } from '../../src/app/wiring/app.ts';
import { registerRoutes } from '../../src/app/wiring/routes.ts';
import { readOrderBody } from '../../src/ordering/place/order-body.ts';
import { compileRequestPart } from '../../src/platform/http/request-schema.ts';
import { createMetrics } from '../../src/platform/lib/metrics.ts';
import { CheckoutBody } from '../../src/surfaces/ucp/checkout-request.ts';
import { LookupRequest, SearchRequest } from '../../src/surfaces/ucp/locations.ts';
import { givenApp } from '../harness.ts';

/**
 * Texts of a body's size, made to be matched in many ways, against everything that reads a text: the schemas of all
 * endpoints and every exported function of the pure modules that takes one. The time of each is compared with that of
 * a copy of the same text in the same process, character by character: quadratic time at 16 KiB is a thousand copies.
 */

const ROOT = join(import.meta.dirname, '../..');
const BODY_LENGTH = 1024 * 1024;
const SHORT_LENGTH = 16 * 1024;
const MAX_COPIES = 300;

const CHARACTERS = [...' \t\naA10.,;:-_/\\"\'()<>[{@#%&+=*$!éß\u0301\u{1f600}'];
const PAIRS =
  'a.|1,|a |1 |, |; |" |\t;|a@|@.|<a|<!|&a|%4|0.|--|mo,|ph off;|ph,|1-|1:|a=|a"|\\"|/*|1/1 |a-|A1|Su |00:00-'.split(
    '|',
  );
const UNITS = [...CHARACTERS, ...PAIRS];
const ENDS = ['\u0001', '@'];
const STARTS = ['', 'a@'];

const textOf = (start: string, unit: string, end: string, length: number) =>
  start + unit.repeat(Math.floor((length - start.length - end.length) / unit.length)) + end;

const SHORT = STARTS.flatMap((start) =>
  UNITS.flatMap((unit) => ENDS.map((end) => textOf(start, unit, end, SHORT_LENGTH))),
);
const LONG = CHARACTERS.map((unit) => textOf('', unit, '\u0001', BODY_LENGTH));

function millisecondsOf(run: () => unknown): number {
  const start = performance.now();
  try {
    run();
  } catch {
    // A refusal is as good as an answer.
  }
  return performance.now() - start;
}

/** Whether reading takes longer than many copies, in each of three tries: another process may have had the processor. */
function isSlow(read: (text: string) => unknown, text: string): boolean {
  return [1, 2, 3].every(() => {
    const taken = millisecondsOf(() => read(text));
    return taken > 5 && taken > MAX_COPIES * millisecondsOf(() => Array.from(text).join(''));
  });
}

/** The first texts that take too long: short ones first, since a long one may take minutes. */
function slowTexts(read: (text: string) => unknown): string[] {
  const slow = (texts: readonly string[]) =>
    texts
      .values()
      .filter((text) => isSlow(read, text))
      .take(3)
      .map((text) => JSON.stringify(`${text.slice(0, 12)}…${text.slice(-3)}`))
      .toArray();
  const found = slow(SHORT);
  return found.length > 0 ? found : slow(LONG);
}

type Node = {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Node>>;
  items?: Node;
  anyOf?: readonly Node[];
  format?: string;
  pattern?: string;
  '~refine'?: unknown;
};

/** Values with a text at each place of a schema that takes one. */
function placesOf(node: Node): ((text: string) => unknown)[] {
  const isText = [node.type].flat().includes('string');
  const members = Object.entries(node.properties ?? {}).flatMap(([name, member]) =>
    placesOf(member).map((place) => (text: string) => ({ [name]: place(text) })),
  );
  const items = node.items ? placesOf(node.items).map((place) => (text: string) => [place(text)]) : [];
  return [...(isText ? [(text: string) => text] : []), ...members, ...items, ...(node.anyOf ?? []).flatMap(placesOf)];
}

test('every text of every endpoint, tool and protocol is checked in linear time at the limit of its body', async (t) => {
  const app = await givenApp({ env: { UCP: 'released' } });
  t.after(() => app.close());
  const slow: string[] = [];
  let places = 0;
  const timeAt = (name: string, schema: TSchema, parse: (data: unknown) => unknown) => {
    for (const place of placesOf(schema as Node)) {
      places += 1;
      const found = slowTexts((text) => parse(place(text)));
      if (found.length > 0) slow.push(`${name} ${JSON.stringify(place('…'))}: ${found.join(' ')}`);
    }
  };
  const http = await createApp({ ...app.service.deps, metrics: createMetrics() }, (registered, deps) => {
    registered.addHook('onRoute', ({ method, url, schema = {} }) => {
      if (method === 'HEAD') return;
      const { body, querystring, params, headers } = schema as Record<string, TSchema | undefined>;
      for (const part of [body, querystring, params, headers]) {
        if (part) timeAt(`${method} ${url}`, part, compileRequestPart(part, part === body ? 'body' : 'query'));
      }
      if (url === '/order/order/v2' && body) timeAt(`${method} ${url}`, body, readOrderBody);
    });
    registerRoutes(registered, deps);
  });
  await http.close();
  const shapes = { CheckoutBody, LookupRequest, SearchRequest };
  for (const [name, schema] of Object.entries(shapes)) timeAt(name, schema, compileRequestPart(schema, 'body'));
  const { tools } = (await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body.result;
  for (const { name, inputSchema } of tools) timeAt(name, inputSchema, compileRequestPart(inputSchema, 'body'));
  t.diagnostic(`${places} texts`);
  assert.deepEqual(slow, []);
  assert.ok(places > 300, String(places));
});

/** Functions of texts that no request brings. */
const OF_OUR_TEXTS: ReadonlySet<string> = new Set(['showProse', 'showInline']);

const EXPORTED =
  /^export (?:function (\w+)\(\s*|const (\w+) = \()\w+\??: (?:string|unknown)(?: \| (?:undefined|null|number))?[,)]/gm;

const READERS = globSync(
  'src/{platform/{lib,http,languages,load},access,supply,search,ordering,notify,fulfillment,surfaces}/**/*.ts',
  {
    cwd: ROOT,
  },
)
  .sort()
  .filter((file) => basename(file).split('.').length === 2)
  .flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(EXPORTED), ([, name, constant]) => ({
      file,
      name: name ?? constant ?? '',
    })),
  );

test('every reader of a text in a pure module takes linear time', async (t) => {
  const slow: string[] = [];
  let readers = 0;
  for (const { file, name } of READERS) {
    const read: unknown = (await import(join(ROOT, file)))[name];
    if (typeof read !== 'function' || read.length > 1 || OF_OUR_TEXTS.has(name)) continue;
    readers += 1;
    const found = slowTexts((text) => read(text));
    if (found.length > 0) slow.push(`${file} ${name}: ${found.join(' ')}`);
  }
  t.diagnostic(`${readers} readers`);
  assert.deepEqual(slow, []);
  assert.ok(readers > 100, String(readers));
});
