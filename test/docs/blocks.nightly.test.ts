// covers: docs/**, README.md, test/docs/*.ts
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseStoreLine } from '../../src/supply/imports/parse-store-line.ts';
import { type BlockKind, kindOf } from './block-kinds.ts';
import { type Block, blocksOf, DOCUMENTS } from './doc-blocks.ts';
import { givenReader, type Reader } from './run-blocks.ts';
import { isShown } from './shown-answer.ts';

type Classified = Block & { kind: BlockKind | undefined };

const PAGES = DOCUMENTS.map((file) => ({ file, blocks: classify(blocksOf(file)) }));
const REFUSED = '"type":"urn:doorstep:error:';
const nameOf = ({ file, line }: Block) => `${file}:${line}`;
const blocksOfKind = (...kinds: BlockKind[]) =>
  PAGES.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind !== undefined && kinds.includes(kind));

let reader: Reader;
before(async () => {
  reader = await givenReader();
});
after(() => reader.close());

function classify(blocks: readonly Block[]): Classified[] {
  const kinds: Classified[] = [];
  for (const block of blocks) kinds.push({ ...block, kind: kindOf(block, kinds.at(-1)?.kind) });
  return kinds;
}

test('every block of every document is run, compared, or named with the reason why it cannot be', (t) => {
  const all = PAGES.flatMap(({ blocks }) => blocks);
  assert.deepEqual(all.filter(({ kind }) => kind === undefined).map(nameOf), []);
  const counts = Map.groupBy(all, ({ kind }) => (kind?.startsWith('not run') ? 'not run' : kind));
  t.diagnostic([...counts].map(([kind, blocks]) => `${kind} ${blocks.length}`).join(', '));
});

test('the demo prints the tutorial’s values at its start', () => {
  for (const block of blocksOfKind('started')) assert.ok(isShown(reader.seen(block.text), reader.said), nameOf(block));
});

for (const { file, blocks } of PAGES.filter(({ blocks }) => blocks.some(({ kind }) => kind === 'run'))) {
  test(`${file}: its blocks run in order and print the page's output`, async () => {
    const pasted = blocks.filter(({ kind }) => kind === 'run');
    // A page may continue from the getting-started page, with its key and address.
    const [beginning] = file === 'docs/tutorial.md' ? [] : classify(blocksOf('docs/integrating.md'));
    const own = beginning && beginning.file !== file ? [beginning, ...pasted] : pasted;
    const answers = (await reader.paste(own)).slice(own.length - pasted.length);
    const faults: string[] = [];
    for (const [n, block] of pasted.entries()) {
      const next = blocks[blocks.indexOf(block) + 1];
      const shown = next?.kind === 'answer' ? reader.seen(next.text) : undefined;
      const answer = answers[n] ?? '';
      const isRefused = answer.includes(REFUSED) && !shown?.includes(REFUSED);
      if (isRefused || (shown !== undefined && !isShown(shown, answer)))
        faults.push(`${nameOf(block)} shows\n${shown}\nand prints\n${answer}`);
    }
    assert.ok(faults.length === 0, faults.join('\n'));
  });
}

test('a session shown with its prompt prints the shown output', async () => {
  for (const block of blocksOfKind('session')) {
    const [, command = '', shown = ''] = /^\$ ((?:.*\\\n)*.*\n)([\s\S]*)$/.exec(block.text) ?? [];
    const [answer = ''] = await reader.paste([{ ...block, text: command.replace('curl ', 'curl -s ') }]);
    assert.ok(isShown(reader.seen(shown), answer), `${nameOf(block)} shows\n${shown}\nand prints\n${answer}`);
  }
});

test('every endpoint that a list names is described', async () => {
  const [answer = '{}'] = await reader.paste([
    { file: '', line: 0, language: 'sh', text: 'curl -s http://127.0.0.1:8080/openapi.json' },
  ]);
  const { paths } = JSON.parse(answer) as { paths: Record<string, Record<string, object>> };
  for (const block of blocksOfKind('endpoints')) {
    const named = [...block.text.matchAll(/(?:\b(GET|POST) +|, )(\/[\w/{}]+)/g)];
    assert.ok(named.length > 15);
    let method = '';
    for (const [, ownMethod, path = ''] of named) {
      method = ownMethod?.toLowerCase() ?? method;
      const described = Object.entries(paths).find(([known]) => known.replace(/\{\w+\}/, '{id}') === path);
      assert.ok(described?.[1][method], `${nameOf(block)} ${method} ${path}`);
    }
  }
});

test('every part of a store that the feeds page shows is read without a fault', () => {
  for (const block of blocksOfKind('store')) {
    for (const part of block.text.startsWith('{') ? block.text.trim().split('\n') : [`{${block.text}}`]) {
      const store = { ...STORE, ...JSON.parse(part) };
      const { food, ...fields } = store;
      const product = { id: 'p', name: 'Product', price: 100, ...(food ? { food } : {}) };
      const parsed = parseStoreLine({
        ...fields,
        categories: fields.categories ?? [{ id: 'c', name: 'C', products: [product] }],
      });
      assert.deepEqual(parsed.ok ? parsed.warnings : parsed.faults, [], nameOf(block));
    }
  }
});

const STORE = {
  external_id: '1',
  name: 'Store',
  type: 'restaurant',
  address: { street_addr: '1 Main St', city: 'Chicago', state: 'IL', zipcode: '60607', country: 'US' },
  latitude: 41.88,
  longitude: -87.65,
};
