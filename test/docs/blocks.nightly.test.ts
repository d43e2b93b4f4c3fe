import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseStoreLine } from '../../src/supply/imports/parse-store-line.ts';
import { DOORSTEP, type Env, freePort, givenDatabase, startProgram } from '../given/command.ts';
import { ROOT } from '../source-files.ts';
import { type BlockKind, kindOf } from './block-kinds.ts';
import { type Block, blocksOf, DOCUMENTS } from './doc-blocks.ts';
import { isShown } from './shown-answer.ts';

// covers: docs/**, README.md, test/docs/*.ts

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

/** A program in a document is saved under the name in its first line. */
const NAMED = /^(?:\/\/|#) ([\w-]+\.(?:m?js|py))\n/;
const MARK = '@@block ';
/** Longer than the shells of all pages; ends a hanging run and is not an assertion of speed. */
const LONGEST_MS = 20 * 60_000;

type Reader = {
  /** The service's startup output. */
  said: string;
  /** Pastes the blocks into one shell in order; returns each block's output. */
  paste(blocks: readonly Block[]): Promise<string[]>;
  /** A document's text with the key, address and ports of this run. */
  seen(text: string): string;
  close(): Promise<void>;
};

/** A reader with a running demo and their own folder. The service is what `npm start` runs. */
async function givenReader(): Promise<Reader> {
  const database = await givenDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-reader-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const [port, receiverPort] = [await freePort(), await freePort()];
  const settings = { PORT: port, SANDBOX_PACE: '1', WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'error' };
  const demo = startProgram(
    process.execPath,
    [DOORSTEP, 'demo'],
    { ...database.env, ...settings },
    { timeout: LONGEST_MS },
  );
  let said = '';
  demo.child.stdout.on('data', (text) => {
    said += text;
  });
  await demo.printed(/Ctrl-C stops it/);
  const [key = ''] = /ds_test_[\w-]+/.exec(said) ?? [];
  const seen = (text: string) =>
    text
      .replaceAll('<API_KEY>', key)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replaceAll('https://api.example.com/doorstep', `http://127.0.0.1:${receiverPort}/`)
      .replace(/\b9090\b/g, receiverPort)
      .replaceAll('/tmp/', `${folder}/`);
  const env: Env = { ...database.env, LOG_LEVEL: 'error' };
  return {
    said,
    seen,
    paste: (blocks) => paste(folder, seen, env, blocks),
    async close() {
      demo.child.kill('SIGTERM');
      await demo.finished;
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function paste(
  folder: string,
  seen: (text: string) => string,
  env: Env,
  blocks: readonly Block[],
): Promise<string[]> {
  const script = blocks.map((block, n) => `printf '\\n${MARK}%s\\n' ${n}\n${saved(folder, seen(block.text))}`);
  const file = join(folder, 'pasted.sh');
  // Makes `npx doorstep` run the clone, and sets the reader's folder.
  const prelude = `cd '${folder}'\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\nnpx() { shift; '${process.execPath}' '${DOORSTEP}' "$@"; }\n`;
  writeFileSync(file, `${prelude}${script.join('\n')}\ntrue\n`);
  const { stdout, stderr, status } = await startProgram('bash', [file], env).finished;
  const answers = stdout.split(new RegExp(`^${MARK}\\d+\\n`, 'm')).slice(1);
  if (status !== 0 || answers.length !== blocks.length || stderr.trim() !== '') {
    throw new Error(
      `The shell ended with ${status} after ${answers.length} blocks.\n${stderr}\n${stdout.slice(-2000)}`,
    );
  }
  return answers;
}

/** Saves a program instead of pasting it. */
function saved(folder: string, text: string): string {
  const [, name] = NAMED.exec(text) ?? [];
  if (name === undefined) return text;
  writeFileSync(join(folder, name), text);
  return 'true';
}
