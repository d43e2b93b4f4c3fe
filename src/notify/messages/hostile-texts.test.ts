import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Type } from 'typebox';
import {
  type ContextTexts,
  DINNER,
  givenMessageContext,
  givenRefundContext,
} from '../../../test/given/message-context.ts';
import { adjustmentOf } from '../../../test/given/ticket.ts';
import { HEADER_PAYLOADS, MARKUP_PAYLOADS } from '../../../test/hostile/markup-payloads.ts';
import { mailFrame } from '../../app/adapters/mail-frame.ts';
import type { ItemAdjustment, Order } from '../../ordering/order/order.ts';
import { compileRequestPart, EMAIL } from '../../platform/http/request-schema.ts';
import { formatMailbox, isPlainAddress, parseMailbox } from '../outbox/mailbox.ts';
import type { MessageToWrite } from './messages-for-event.ts';
import { writeMessage } from './write-message.ts';

let frame: string;
before(async () => {
  frame = await mailFrame();
});

const MAILS: MessageToWrite[] = [
  { channel: 'email', kind: 'order_confirmation' },
  { channel: 'email', kind: 'final_receipt' },
  { channel: 'email', kind: 'card_declined' },
  { channel: 'email', kind: 'on_its_way' },
  { channel: 'email', kind: 'delivered' },
  { channel: 'email', kind: 'order_problem' },
  { channel: 'email', kind: 'order_canceled' },
  { channel: 'email', kind: 'order_refunded' },
  { channel: 'email', kind: 'order_item_changed' },
];

function write(wanted: MessageToWrite, text: string | undefined, changes: Partial<ContextTexts> = {}) {
  const names = ['store', 'address', 'item', 'option', 'customization', 'notes', 'fee', 'customer', 'street', 'reason'];
  const everywhere =
    text === undefined
      ? {}
      : Object.fromEntries([...names, 'driver', 'displayName', 'logoUrl'].map((name) => [name, text]));
  const given = wanted.kind === 'order_refunded' ? givenRefundContext : givenMessageContext;
  const context = given(DINNER, { texts: { ...everywhere, ...changes } });
  const order = { ...context.order, adjustments: [replacing(context.order, text ?? '')] };
  const facts = {
    ...(wanted.kind === 'order_item_changed' ? { ...context, order } : context),
    report: { reason: 'other', text: text ?? '' } as const,
  };
  return writeMessage(wanted, facts, { mailFrom: 'Doorstep <mail@doorstep.example>', textFrom: undefined, frame });
}

/** Replaces the first item with a substitute of this name. */
function replacing(order: Order, name: string): ItemAdjustment {
  const adjustment = adjustmentOf(order, 1, true);
  return { ...adjustment, substitute: adjustment.substitute && { ...adjustment.substitute, name } };
}

/** All tags and comments of a mail, without the values of the two attributes that may vary. */
const skeletonOf = (html: string | null): string[] =>
  [...(html ?? '').matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/ (alt|aria-label)="[^"<>]*"/g, ''));

const WITH_TEXT = 'plain';

for (const wanted of MAILS) {
  test(`${MARKUP_PAYLOADS.length} payloads in every text of ${wanted.kind} add not one tag, attribute or comment to it`, () => {
    assert.ok(MARKUP_PAYLOADS.length >= 200);
    const expected = skeletonOf(write(wanted, WITH_TEXT, { logoUrl: 'javascript:1' }).html);
    for (const payload of MARKUP_PAYLOADS) {
      const { html } = write(wanted, payload, { logoUrl: 'javascript:1' });
      assert.deepEqual(skeletonOf(html), expected, payload);
    }
  });
}

test('a logo is shown only from http and https, and its address stays within its attribute', () => {
  const shown = MARKUP_PAYLOADS.map((logoUrl) => write(MAILS[0] as MessageToWrite, WITH_TEXT, { logoUrl }).html ?? '');
  for (const html of shown) {
    const logos = [...html.matchAll(/<img src="([^"]*)" alt="plain" height="44" style="[^"]*">/g)];
    assert.equal((html.match(/<img/g) ?? []).length, logos.length);
    for (const [, url = ''] of logos) assert.match(url, /^https?:\/\/[^\s<>'"`]+$/);
    assert.doesNotMatch(html, /<script|onerror=pwned|javascript:/);
  }
});

test('a text that looks like a slot of the frame is shown unchanged', () => {
  const { html } = write(MAILS[0] as MessageToWrite, WITH_TEXT, { item: '{{foot}} $& $1' });
  assert.match(html ?? '', /\{\{foot\}\} \$&amp; \$1/);
});

test('no text begins a line of a header: subject, sender and recipient are one line each', () => {
  for (const payload of [...HEADER_PAYLOADS, ...MARKUP_PAYLOADS]) {
    for (const wanted of MAILS) {
      const { subject, sender } = write(wanted, payload);
      for (const header of [subject, sender]) assert.doesNotMatch(header ?? '', /[\p{Cc}\u2028\u2029]/u);
      const mailbox = parseMailbox(sender);
      assert.equal(mailbox.address, 'mail@doorstep.example');
      assert.equal(formatMailbox(mailbox), sender);
      assert.doesNotMatch(mailbox.name, /["\\<>]/);
    }
  }
});

test('only one plain address is an address', () => {
  for (const good of ['a@b.example', "o'hara+x@sub.b.example", 'ü@b.example']) assert.ok(isPlainAddress(good), good);
  const bad = [
    '',
    'a',
    '@b',
    'a@',
    'a b@c.example',
    'a@b,c@d',
    '"a b"@c',
    'a@b\r\nRCPT TO:<c@d>',
    '<a@b>',
    'a@b@c',
    'a(x)@b',
  ];
  for (const text of [...bad, ...HEADER_PAYLOADS.map((payload) => `${payload}@b.example`)]) {
    assert.equal(isPlainAddress(text), false, JSON.stringify(text));
  }
});

test('an address that a request may name is an address that mail is sent to', () => {
  const parse = compileRequestPart(Type.Object({ email: EMAIL }), 'body');
  let taken = 0;
  for (let code = 0; code < 0x300; code += 1) {
    const letter = String.fromCharCode(code);
    for (const email of [`a${letter}b@c.example`, `a@b${letter}c.example`]) {
      if ('error' in parse({ email })) continue;
      taken += 1;
      assert.ok(isPlainAddress(email), JSON.stringify(email));
    }
  }
  assert.ok(taken > 1000, `${taken} addresses`);
});
