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
import { OPERATIONS } from '../../src/surfaces/ucp/operations.route.ts';
import { givenApp } from '../harness.ts';
import { takesAllRuns } from '../runs.ts';

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

/** This thread's time on the processor, which other processes do not add to. Systems count it in steps of some ms. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function millisecondsOf(run: () => unknown, clock = () => performance.now()): number {
  const start = clock();
  try {
    run();
  } catch {
    // A refusal is as good as a response.
  }
  return clock() - start;
}

/** Whether reading takes longer than many copies, in each of three tries: the collector of garbage may have run. */
function isSlow(read: (text: string) => unknown, text: string): boolean {
  return [1, 2, 3].every(() => {
    const taken = millisecondsOf(() => read(text), processorMs);
    return taken > 5 && taken > MAX_COPIES * millisecondsOf(() => Array.from(text).join(''));
  });
}

let readers = 0;

/** The first texts that take too long: short ones first, since a long one may take minutes. */
function slowTexts(read: (text: string) => unknown): string[] {
  readers += 1;
  const slow = (texts: readonly string[]) =>
    texts
      .values()
      .filter((text) => isSlow(read, text))
      .take(3)
      .map((text) => JSON.stringify(`${text.slice(0, 12)}…${text.slice(-3)}`))
      .toArray();
  const found = slow(SHORT);
  return found.length > 0 ? found : slow(LONG.filter((_, at) => takesAllRuns() || (at + readers) % 5 === 0));
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

/** A place of a schema that takes a text: a value with the text there, and the rules of the text unless refined. */
type Place = { put(text: string): unknown; rules?: string };

function placesOf(node: Node): Place[] {
  const within = (inner: Node, around: (value: unknown) => unknown) =>
    placesOf(inner).map(({ put, ...rules }) => ({ put: (text: string) => around(put(text)), ...rules }));
  const { title: _, description: _1, examples: _2, ...rules } = node as Record<string, unknown>;
  const isText = [node.type].flat().includes('string');
  const places: Place[] = [
    ...(isText ? [{ put: (text: string) => text, rules: JSON.stringify(rules) }] : []),
    ...Object.entries(node.properties ?? {}).flatMap(([name, one]) => within(one, (value) => ({ [name]: value }))),
    ...(node.items ? within(node.items, (value) => [value]) : []),
    ...(node.anyOf ?? []).flatMap(placesOf),
  ];
  return node['~refine'] ? places.map(({ put }) => ({ put })) : places;
}

test('every text of every endpoint, tool and protocol is checked in linear time at the limit of its body', async (t) => {
  const app = await givenApp({ env: { UCP: 'released' } });
  t.after(() => app.close());
  const slow: string[] = [];
  let places = 0;
  /** Equal rules in equal parts of a request take equal time. */
  const measured = new Set<string>();
  const timeAt = (name: string, schema: TSchema, part: string, parse: (data: unknown) => unknown) => {
    for (const { put, rules } of placesOf(schema as Node)) {
      places += 1;
      if (rules && measured.has(part + rules)) continue;
      measured.add(part + rules);
      const found = slowTexts((text) => parse(put(text)));
      if (found.length > 0) slow.push(`${name} ${JSON.stringify(put('…'))}: ${found.join(' ')}`);
    }
  };
  const http = await createApp({ ...app.service.deps, metrics: createMetrics() }, (registered, deps) => {
    registered.addHook('onRoute', ({ method, url, schema = {} }) => {
      if (method === 'HEAD') return;
      const { body, querystring, params, headers } = schema as Record<string, TSchema | undefined>;
      const name = `${method} ${url}`;
      for (const part of [querystring, params, headers])
        if (part) timeAt(name, part, 'query', compileRequestPart(part, 'query'));
      if (body) timeAt(name, body, 'body', compileRequestPart(body, 'body'));
      if (url === '/order/order/v2' && body) timeAt(name, body, 'order', readOrderBody);
    });
    registerRoutes(registered, deps);
  });
  await http.close();
  for (const { tool, input } of OPERATIONS) timeAt(tool, input, 'body', compileRequestPart(input, 'body'));
  const { tools } = (await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body.result;
  for (const { name, inputSchema } of tools) timeAt(name, inputSchema, 'body', compileRequestPart(inputSchema, 'body'));
  t.diagnostic(`${places} texts, ${readers} of them unlike the others`);
  assert.deepEqual(slow, []);
  assert.ok(places > 300, String(places));
});

/** Functions of texts that no request brings. */
const OF_OUR_TEXTS: ReadonlySet<string> = new Set(['showProse', 'showInline']);

const EXPORTED =
  /^export (?:function (\w+)\(\s*|const (\w+) = \()\w+\??: (?:string|unknown)(?: \| (?:undefined|null|number))?[,)]/gm;

const READERS = globSync(
  'src/{platform/{lib,http,languages,load},access,supply,search,ordering,notify,fulfillment,surfaces}/**/*.ts',
  { cwd: ROOT },
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
  const earlier = readers;
  for (const { file, name } of READERS) {
    const read: unknown = (await import(join(ROOT, file)))[name];
    if (typeof read !== 'function' || read.length > 1 || OF_OUR_TEXTS.has(name)) continue;
    const found = slowTexts((text) => read(text));
    if (found.length > 0) slow.push(`${file} ${name}: ${found.join(' ')}`);
  }
  t.diagnostic(`${readers - earlier} readers`);
  assert.deepEqual(slow, []);
  assert.ok(readers - earlier > 100, String(readers));
});
