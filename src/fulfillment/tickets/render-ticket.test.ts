import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeEscpos, type MultiByte, type PrintedRow } from '../../../test/fakes/escpos-decoder.ts';
import type { ContextTexts } from '../../../test/given/message-context.ts';
import { FIRST_PRINT, givenTicketOrder, TICKET_NOW } from '../../../test/given/ticket.ts';
import { runs } from '../../../test/runs.ts';
import type { TicketDocument } from '../../notify/outbox/printer.ts';
import type { Order } from '../../ordering/order/order.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { type PrinterEncoding, paperText } from './paper.ts';
import { renderTicket } from './render-ticket.ts';
import type { PrintOptions } from './ticket-documents.ts';

const DOCUMENTS: readonly TicketDocument[] = ['kitchen', 'receipt', 'canceled'];

const printed = (document: TicketDocument, order: Order, changes: Partial<PrintOptions> = {}, multiByte?: MultiByte) =>
  decodeEscpos(renderTicket(document, order, { ...FIRST_PRINT, ...changes }), multiByte);

const rowWith = (rows: readonly PrintedRow[], text: string) =>
  rows.find((row) => row.text.includes(text)) ?? assert.fail(`${text}\n${rows.map((row) => row.text).join('\n')}`);
const lookOf = (row: PrintedRow, text: string) => row.runs.find((run) => run.text.includes(text)) ?? assert.fail(text);
const columnsOf = ({ runs }: PrintedRow) => runs.reduce((sum, { text, width }) => sum + [...text].length * width, 0);
const textOf = (rows: readonly PrintedRow[]) => rows.map(({ text }) => text.trim()).join(' ');

test('the order number is printed at six times the size, options are indented by depth, notes are white on black', () => {
  const { rows, cuts } = printed('kitchen', givenTicketOrder({ notes: 'no onions' }));
  const { width, height } = lookOf(rowWith(rows, 'A17'), 'A17');
  assert.deepEqual([width, height], [6, 6]);
  const item = lookOf(rowWith(rows, '2 x Margherita'), 'Margherita');
  assert.deepEqual([item.height, item.isEmphasized, item.isInverted], [2, true, false]);
  assert.equal(rowWith(rows, '+ Toppings: O').text.indexOf('+'), 4);
  assert.equal(rowWith(rows, '+ Toppings: 2 x').text.indexOf('+'), 6);
  const note = lookOf(rowWith(rows, 'NOTE: no onions'), 'NOTE');
  assert.deepEqual([note.height, note.isInverted], [2, true]);
  assert.deepEqual(cuts, [rows.length]);
});

test('the receipt’s amounts are aligned to the paper’s right edge', () => {
  const { rows } = printed('receipt', givenTicketOrder());
  for (const row of rows.filter(({ text }) => /\.\d\d$/.test(text))) assert.equal(columnsOf(row), 48, row.text);
  assert.match(rowWith(rows, 'Total (USD)').text, /^Total \(USD\) +\$52\.09$/);
});

const NAMES: [PrinterEncoding, string, MultiByte?][] = [
  ['multilingual', 'Zoë Müller-Łukasiewicz, Åse Señor Çelik Œuvre'],
  ['multilingual', 'Борщ Київ, café “Été” – 5 €'],
  ['shiftjis', '照り焼きチキン ﾃﾘﾔｷ', 'shift_jis'],
  ['gb18030', '宫保鸡丁 饺子', 'gb18030'],
  ['ksc5601', '김치찌개', 'euc-kr'],
  ['big5', '滷肉飯 珍珠奶茶', 'big5'],
  ['tis620', 'ผัดไทย กุ้ง'],
];
for (const [encoding, item, multiByte] of NAMES) {
  test(`${item} survives on a printer with ${encoding}`, () => {
    const { rows } = printed('kitchen', givenTicketOrder({ item }), { encoding }, multiByte);
    assert.ok(textOf(rows).includes(`2 x ${item}`), textOf(rows));
    assert.doesNotMatch(textOf(rows), /\?/);
  });
}

test('a letter missing in the printer becomes its plain form, or one question mark, and a warning names its line', () => {
  const { rows } = printed('kitchen', givenTicketOrder({ item: 'Phở 字 👩‍🍳', notes: '🌶' }));
  assert.ok(rowWith(rows, '2 x Pho ?'));
  const named = textOf(rows).replaceAll('\n', ' ').replace(/ +/g, ' ');
  assert.match(
    named,
    /This printer can['’]t print all letters of "DROP-OFF: \?", "Pho \?",? and "NOTE: \?"\. See the order on screen\./,
  );
  const plain = printed('kitchen', givenTicketOrder({ item: 'Why not?' }));
  assert.doesNotMatch(textOf(plain.rows), /this printer can/i);
});

test('emoji beside letters are left out without a warning; a name of emoji alone is warned about', () => {
  const emoji = fc.constantFrom('🍕', '👩‍🍳', '🇮🇹', '❤️', '👍🏽', '🌶️🌶️', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '✨');
  const name = fc.array(fc.oneof(emoji, fc.constantFrom('Pizza', 'n°5', 'Menú')), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(name, fc.constantFrom('', ' '), (parts, space) => {
      const text = textOf(printed('kitchen', givenTicketOrder({ item: parts.join(space) })).rows);
      const hasLetters = parts.some((part) => /\p{L}/u.test(part));
      assert.equal(/This printer can/.test(text), !hasLetters, text);
      assert.equal(/\?/.test(text), !hasLetters, text);
    }),
    { numRuns: runs(100) },
  );
});

test('é, ñ, ç and ¿ are printed by western code pages, and plain by others; no word of a ticket is a question mark', () => {
  const order = givenTicketOrder({ item: 'Piñata', notes: '¿Sin jalapeño? Façon Zoé' });
  for (const language of LANGUAGES) {
    const changes = { language, copy: 1, mayBeRepeated: true };
    const western = textOf(printed('kitchen', order, changes).rows);
    assert.match(western, /Piñata.*¿Sin jalapeño\? Façon Zoé/);
    assert.doesNotMatch(western.replaceAll('jalapeño?', ''), /\?/);
    const { encoding, multiByte } = { encoding: 'shiftjis' as const, multiByte: 'shift_jis' as const };
    const plain = textOf(printed('kitchen', order, { ...changes, encoding }, multiByte).rows);
    assert.match(plain, /Pinata.*Sin jalapeno\? Facon Zoe/);
    assert.doesNotMatch(plain.replaceAll('jalapeno?', ''), /\?/);
  }
  const french = textOf(printed('kitchen', order, { language: 'fr', mayBeRepeated: true }).rows);
  assert.match(french, /PEUT-ÊTRE DÉJÀ IMPRIMÉ/);
});

test('a printer of Chinese code pages gets only two-byte letters: longer codes would print as other characters', () => {
  const { rows } = printed('kitchen', givenTicketOrder({ item: '面 한 𠮷' }), { encoding: 'gb18030' }, 'gb18030');
  assert.ok(rowWith(rows, '2 x 面 ? ?'));
});

test('a name of 300 characters is wrapped between words and stays whole, and so is a word of 300', () => {
  const words = `${'pepperoni mushroom '.repeat(16)}`.trim().slice(0, 300).trim();
  const { rows } = printed('kitchen', givenTicketOrder({ item: words }));
  assert.ok(textOf(rows).includes(words));
  const letters = 'Q'.repeat(300);
  const long = printed('receipt', givenTicketOrder({ item: letters, store: letters, customer: letters }));
  assert.equal(textOf(long.rows).match(/Q/g)?.length, 4 * 300, 'the store, the customer twice, the item');
});

test('100 items are printed in order, with one cut at the end', () => {
  const order = givenTicketOrder();
  const [item] = order.quote.items;
  assert.ok(item);
  const items = Array.from({ length: 100 }, (_, at) => ({ ...item, name: `Item ${at + 1}.`, quantity: 1 }));
  const { rows, cuts } = printed('kitchen', { ...order, quote: { ...order.quote, items } });
  const found = textOf(rows).match(/1 x Item \d+\./g);
  assert.deepEqual(
    found,
    items.map(({ name }) => `1 x ${name}`),
  );
  assert.equal(rows.at(-1)?.text, '100 items');
  assert.deepEqual(cuts, [rows.length]);
});

const INJECTIONS = [
  '\x1b@\x1dV\x00\x1bp\x00\x19\xfa',
  '\\x1b\\x40 {command:\\x1bp}',
  '{image:iVBORw0KGgo=}',
  '{code:123;option:qrcode,8}',
  '=',
  '---',
  '^^^^^^^BIG^^^^^^^',
  'a|b|c',
  '`inverted` "loud" _under_ ~',
  '\u1fef\u037e=\u0338\\\u0327',
  '\u202eright to left\u2066',
  'line\nbreak\r\n=\r\n{border:line}',
  '\x10\x04\x01\x00\x7f\x9b',
  '\ufeff\ud800\ufffd\u0085\u2028',
];
const FOREIGN = [
  ...['store', 'address', 'item', 'option', 'customization', 'notes', 'fee', 'customer', 'street'],
  ...['reason'],
] as const;

/** Replaces every text of a customer, store or account with the hostile one; the order number is unchanged. */
function hostileOrder(hostile: string): Order {
  const texts: Record<string, string> = Object.fromEntries(FOREIGN.map((name) => [name, hostile]));
  const { reason, ...rest } = texts as ContextTexts;
  const order = givenTicketOrder(rest, { canceledAt: TICKET_NOW, cancelReason: reason });
  const items = order.quote.items.map((item) => ({ ...item, isAlcoholic: true }));
  return { ...order, quote: { ...order.quote, items } };
}

function assertHarmless(document: TicketDocument, hostile: string, encoding: PrinterEncoding, multiByte?: MultiByte) {
  const changes = { encoding, brandName: hostile };
  const { rows, cuts, images, commands } = printed(document, hostileOrder(hostile), changes, multiByte);
  assert.deepEqual(cuts, [rows.length], 'one cut, at the end');
  assert.equal(images.length, 0);
  assert.equal(commands.filter((name) => name === 'ESC @').length, 1);
  assert.equal(commands.filter((name) => name === 'GS r').length, 1);
  assert.deepEqual(commands.slice(-2), ['GS V', 'GS r']);
  if (encoding === 'multilingual') for (const row of rows) assert.ok(columnsOf(row) <= 48, row.text);
  const isNoteThere = document === 'kitchen' && paperText(hostile) !== '' && /^[ -~]*$/.test(paperText(hostile));
  if (!isNoteThere) return;
  const squeezed = (text: string) => text.replaceAll(' ', '');
  assert.ok(squeezed(textOf(rows)).includes(squeezed(`NOTE: ${paperText(hostile)}`)), textOf(rows));
}

const ENCODINGS: [PrinterEncoding, MultiByte?][] = [
  ['multilingual'],
  ['shiftjis', 'shift_jis'],
  ['gb18030', 'gb18030'],
  ['ksc5601', 'euc-kr'],
  ['big5', 'big5'],
  ['tis620'],
];

test('the judge refuses a command that tickets do not use, a cut of another kind and a stray control byte', () => {
  for (const bytes of ['\x1bp\x00\x19\xfa', '\x1dV\x00', '\x1b', 'a\x07', '\x10\x04\x01', '\x1bt\x63']) {
    assert.throws(() => decodeEscpos(Buffer.from(bytes, 'latin1')), JSON.stringify(bytes));
  }
});

test('commands and markup in names, notes and brands are printed as text: no byte of them reaches the printer as a command', () => {
  for (const hostile of INJECTIONS) {
    for (const document of DOCUMENTS) {
      for (const [encoding, multiByte] of ENCODINGS) assertHarmless(document, hostile, encoding, multiByte);
    }
  }
});

test('for any texts the printer gets only ticket commands, one cut, and rows that fit the paper', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(...'\\|{}~_"`^=-x1b \x1b\x1d\x1c\x10\x00\n', '字', 'ü', '\u0301'),
      maxLength: 60,
    }),
    fc.constantFrom(...INJECTIONS),
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(...DOCUMENTS), fc.constantFrom(...ENCODINGS), (hostile, document, encoding) =>
      assertHarmless(document, hostile, ...encoding),
    ),
    { numRuns: runs(400) },
  );
});
