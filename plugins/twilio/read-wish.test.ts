import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/runs.ts';
import { readWish } from './read-wish.ts';

const COMMANDS = ['stop', 'stop all', 'opt out', 'unsubscribe', 'end', 'quit', 'revoke', 'arrêt', 'alto', 'no más'];
const command = fc.oneof(
  fc.constantFrom(...COMMANDS),
  fc.constantFrom('stopall', 'stop-all', 'stop  all', 'optout', 'opt-out', 'opt‑out', 'opt – out'),
);
/** Words that name no order and no other command. */
const rest = fc.array(fc.constantFrom('texting', 'me', 'please', 'merci', 'los', 'mensajes', 'now', '20', 'sms'), {
  maxLength: 6,
});
const marks = fc.constantFrom('', '!', '!!!', '.', '...', ',', '"', '”', '\u200b', '\ufeff', ' 🛑', '\n');

/** Letters in any case, composed or not, with invisible characters between them. */
const typed = (text: string) =>
  fc
    .array(fc.tuple(fc.boolean(), fc.constantFrom('', '', '', '\u200b', '\u00ad')), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((how) =>
      [...text].map((letter, at) => (how[at]?.[0] ? letter.toUpperCase() : letter) + (how[at]?.[1] ?? '')).join(''),
    )
    .chain((one) => fc.constantFrom(one, one.normalize('NFD'), one.normalize('NFC')));

test('a message that begins with a stop command stops messages, however it is typed', () => {
  const message = fc
    .tuple(command.chain(typed), rest, marks, marks)
    .map(([first, others, before, after]) => `${before}${[first + after, ...others].join(' ')}${after}`);
  fc.assert(
    fc.property(message, (body) => readWish(body) === 'STOP'),
    { numRuns: runs(2000) },
  );
});

test('a message about an order stops nothing, and a command within a message or a longer word is none', () => {
  const order = fc.constantFrom('order', 'Order', 'orders', 'commande', 'pedido', 'order.', '"order"', 'commandes');
  const aboutOrder = fc
    .tuple(command, rest, order, rest)
    .map(([first, some, named, others]) => [first, ...some, named, ...others].join(' '));
  const within = fc
    .tuple(fc.constantFrom('please', 'do', 'the', 'yes,', 'hey'), command, rest)
    .map((words) => words.flat().join(' '));
  const longer = fc.constantFrom('stopping by at 6', 'endless', 'nonstop', 'altogether', 'quitting', 'stop-gap');
  fc.assert(
    fc.property(fc.oneof(aboutOrder, within, longer), (body) => readWish(body) === undefined),
    { numRuns: runs(2000) },
  );
});

test('cancel, parar and baja stop messages, and start words start them, only as the whole message', () => {
  for (const word of ['cancel', 'Cancel.', ' PARAR ', 'baja!']) assert.equal(readWish(word), 'STOP', word);
  for (const word of ['start', 'START.', 'Unstop', 'yes!', 'Oui', 'Sí']) assert.equal(readWish(word), 'START', word);
  for (const word of ['cancel it', 'cancel my order', 'yes please leave it at the door', 'where is it?', '', ' ', '🛑'])
    assert.equal(readWish(word), undefined, word);
});

test('OPT OUT, STOP ALL and Stop texting me stop messages, and so do punctuated words', () => {
  for (const body of ['OPT OUT', 'STOP ALL', 'Stop texting me', 'S.T.O.P.', 'stop,please', 'ＳＴＯＰ', 'ARRÊT SMS'])
    assert.equal(readWish(body), 'STOP', body);
});

test('no text takes more than linear time, and a text longer than an SMS says nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (body) =>
      ['STOP', 'START', undefined].includes(readWish(body)),
    ),
    { numRuns: runs(500) },
  );
  assert.equal(readWish(`stop ${'x'.repeat(2000)}`), undefined);
});
