import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import type { Words } from '../src/platform/languages/words.ts';
import { en } from '../src/texts/en/catalog.ts';
import { es } from '../src/texts/es/catalog.ts';
import { fr } from '../src/texts/fr/catalog.ts';
import { ROOT, textOf } from './source-files.ts';

/** Groups whose texts are looked up by code; the source does not spell their names. */
const BY_CODE: ReadonlySet<string> = new Set([
  ...'customer.cancelReason customer.vehicle customer.dropOff.where customer.problem.reasons'.split(' '),
  ...'customer.taxName driver.sharing promotion.paidBy store.changed store.state store.food.allergen'.split(' '),
  ...'store.terms.cancelReason store.menu.nutrients store.menu.taxClasses store.menu.weights'.split(' '),
  ...'store.statements.kinds shop.dropOff.where shop.promoCode.reasons checkout.promoCode.reasons'.split(' '),
  ...'promotion.modeOnly store.offers.states store.offers.refusals shop.list.sorts'.split(' '),
  ...'signIn.contactFault signIn.appFault shop.orders.status'.split(' '),
  ...['store.brand.cornersOf', 'store.brand.fontsOf'],
  ...['checkout.payment', 'checkout.refused', 'store.errors.codes', 'store.driver.vehicles', 'store.settings.whatToDo'],
]);

const READERS = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], {
  cwd: ROOT,
  exclude: ['src/**/*.test.ts', 'web/**/*.test.ts', 'src/texts/{en,fr,es}/**'],
}).map((file) => textOf(String(file)));

type Part = { readonly [name: string]: unknown };
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

/** The path of every catalog text. */
function pathsOf(part: Part, path: readonly string[] = []): string[][] {
  return Object.entries(part).flatMap(([name, value]) =>
    isPart(value) ? pathsOf(value, [...path, name]) : [[...path, name]],
  );
}

/** Whether a source uses the text: it names the group, and the text after a dot or in a pattern. */
function isRead(path: readonly string[]): boolean {
  const [group = '', name = ''] = path.slice(-2);
  if (BY_CODE.has(path.slice(0, -1).join('.'))) return READERS.some((text) => text.includes(`.${group}`));
  const read = new RegExp(`[.{,]\\s*${name}\\b`);
  return READERS.some((text) => new RegExp(`\\b${group}\\b`).test(text) && read.test(text));
}

test('every text of the catalogs is read by a source', () => {
  assert.deepEqual(
    pathsOf(en)
      .filter((path) => !isRead(path))
      .map((path) => path.join('.')),
    [],
  );
});

test('a text missing in a language, or additional to English, is a type error', () => {
  const english = { title: 'Order', items: ({ count }: { count: number }) => `${count} items` };
  const whole = { title: 'Commande', items: ({ count }) => `${count} articles` } satisfies Words<typeof english>;
  // @ts-expect-error: `items` is missing.
  const missing = { title: 'Commande' } satisfies Words<typeof english>;
  // @ts-expect-error: `extra` is not an English text.
  const extra = { title: 'Commande', items: () => '', extra: 'Plus' } satisfies Words<typeof english>;
  // @ts-expect-error: a text with parameters cannot be a plain string.
  const plain = { title: 'Commande', items: 'articles' } satisfies Words<typeof english>;
  assert.ok(whole && missing && extra && plain);
});

const TIMES: readonly unknown[] = ['time', 'moment', 'slot'];

/** Every catalog text with its path; times are formatted for Spanish and for Canada, other parameters are letters. */
function textsOf(part: Part, path = ''): [path: string, text: string][] {
  const pieces = new Proxy({}, { get: (_, name) => (TIMES.includes(name) ? '6:45 p.m.' : 'A1') });
  return Object.entries(part).flatMap(([name, value]): [string, string][] => {
    const at = `${path}.${name}`;
    if (isPart(value)) return textsOf(value, at);
    return [[at, String(typeof value === 'function' ? value(pieces) : value)]];
  });
}

test('no sentence ends with two periods where its last word is a time', () => {
  for (const catalog of [en, es]) {
    assert.deepEqual(
      textsOf(catalog).filter(([, text]) => text.includes('..')),
      [],
    );
  }
});

test('French is set as in Québec: colons and quotes are held by nonbreaking spaces, other marks have none', () => {
  const isSms = ([path]: [string, string]) => /^\.customer\.sms\.|^\.store\.notice\.sms|^\.signIn\.sms/.test(path);
  const texts = textsOf(fr).filter((entry) => !isSms(entry));
  assert.ok(texts.length > 500);
  // French typography: a missing or extra space at a punctuation mark, or a straight apostrophe.
  const fault = /(?<!\u00a0):(?!\d)|«(?!\u00a0)|(?<!\u00a0)»|\s[;!?.,]|'/;
  assert.deepEqual(
    texts.filter(([, text]) => fault.test(text)),
    [],
  );
});

/** Rooms and pages whose texts must all be in the catalogs. */
const SPOKEN = [
  'src/surfaces/tracking/**/*.ts',
  'src/surfaces/checkout/**/*.ts',
  'src/surfaces/shop/**/*.ts',
  'src/notify/messages/mail-bodies.ts',
  'src/ordering/payments/payment.page.ts',
  'src/fulfillment/deliveries/driver{-view,.page}.ts',
  'src/fulfillment/tickets/ticket.page.ts',
  'src/surfaces/store-console/*.ts',
];
/** Browser code with visible texts: components, and code that passes texts to them. */
const SPOKEN_IN_BROWSERS = ['web/{console,driver,tracking,checkout,shop}/*.{ts,tsx}', 'web/*.{ts,tsx}'];

const ATTRIBUTES = /^(?:\s*[\w-]+="[^"]*"|\s*hidden|\s*selected|\s*data-[\w-]+)+\s*$/;
const STYLES = /^\s*:root\{/;

/** The markup of every html`…` template of a source, without its values; nested templates count separately. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a scanner of a few states is read in one piece
function markupIn(source: string): string[] {
  const templates: string[] = [];
  const open: string[] = [];
  const braces: number[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const isText = open.length > braces.length;
    if (source[at] === '\\') at += 1;
    else if (!isText && source[at] === '`') {
      open.push(source.slice(at - 4, at) === 'html' ? '' : '\u0000');
    } else if (isText && source[at] === '`') templates.push(open.pop() ?? '');
    else if (isText && source[at] === '$' && source[at + 1] === '{') {
      braces.push(0);
      at += 1;
    } else if (isText) open[open.length - 1] += source[at] ?? '';
    else if (braces.length > 0 && source[at] === '{') braces[braces.length - 1] = (braces.at(-1) ?? 0) + 1;
    else if (braces.length > 0 && source[at] === '}') {
      const depth = (braces.pop() ?? 0) - 1;
      if (depth >= 0) braces.push(depth);
    }
  }
  return templates.filter((text) => !text.startsWith('\u0000') && !ATTRIBUTES.test(text) && !STYLES.test(text));
}

/** Names and formats that are the same in every language. */
const UNTRANSLATED: ReadonlySet<string> = new Set(['Doorstep', '· Doorstep', 'Mac OS', 'XXXX-XXXX-XXXX']);
const isSpoken = (text: string) => /\p{L}{2}/u.test(text) && !UNTRANSLATED.has(text);

const SPOKEN_ATTRIBUTES = /\b(?:aria-label|alt|title|placeholder|label)="([^"]*)"/g;

/** Words between tags, and in visible or spoken attributes. */
function wordsOutside(markup: string): string[] {
  const spoken = [...markup.matchAll(SPOKEN_ATTRIBUTES)].map(([, text = '']) => text);
  const between = markup.replace(/<style>[\s\S]*/g, '').replace(/<[^>]*>?/g, '\n');
  const plain = between.replace(/&\w+;/g, ' ').split('\n');
  return [...plain, ...spoken].map((text) => text.trim()).filter(isSpoken);
}

const JSX_TEXT = /(?<=[\w"'}\]/-]|\n\s*)>(?!')([^<>{}()=;|]*)(?=[<{])/g;
/** A literal with several words, or with a capitalized word between two tags or in an expression. */
const SENTENCE = /(?<!new Error\()(?<==|[{(,?:]\s*)(?:'(\p{Lu}\p{Ll}+ [^'\n]*)'|`(\p{Lu}\p{Ll}+ [^`]*)`)/gu;

/** Visible texts of browser code: between tags, in attributes, and sentences in literals. */
function wordsInBrowserCode(source: string): string[] {
  const found = [JSX_TEXT, SPOKEN_ATTRIBUTES, SENTENCE].flatMap((pattern) => [...source.matchAll(pattern)]);
  const texts = found.map(([, text = '', template = '']) => (text || template).trim());
  return texts.filter(isSpoken);
}

const withoutComments = (source: string) => source.replace(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, '');

test('every word of the console, the driver’s page and other browser code is in the catalogs', () => {
  const files = globSync(SPOKEN_IN_BROWSERS, { cwd: ROOT, exclude: ['**/*.test.ts'] });
  assert.ok(files.length > 40);
  const faults = files.flatMap((file) =>
    wordsInBrowserCode(withoutComments(textOf(String(file)))).map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(faults, []);
  const planted = [
    `<p class="hint">It can't</p>`,
    `<button\n  type="button"\n>\n  Save {name}</button>`,
    `<input placeholder="Search" />`,
    `show('Try again')`,
    'const words = isOff ? `Off until @{time}` : other;'.replace('@', '$'),
  ];
  assert.deepEqual(planted.flatMap(wordsInBrowserCode), [
    ...["It can't", 'Save', 'Search', 'Try again', 'Off until @{time}'.replace('@', '$')],
  ]);
});

test('every word of a page is in the catalogs', () => {
  const files = globSync(SPOKEN, { cwd: ROOT, exclude: ['**/*.test.ts'] });
  assert.ok(files.length > 25);
  const faults = files.flatMap((file) =>
    markupIn(withoutComments(textOf(String(file))))
      .flatMap(wordsOutside)
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(markupIn('html`<p>Hi @{x && html`<b>you</b>`}</p>`'.replace('@', '$')).flatMap(wordsOutside), [
    'you',
    'Hi',
  ]);
});
