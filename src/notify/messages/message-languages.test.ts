import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { DINNER, givenMessageContext, givenRefundContext, TRACKING_LINK } from '../../../test/given/message-context.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { runs } from '../../../test/runs.ts';
import { mailFrame } from '../../app/adapters/mail-frame.ts';
import { LANGUAGES, type Language } from '../../platform/languages/language.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { gsmText, smsParts } from './gsm-text.ts';
import type { MessageKind } from './message.ts';
import type { MessageContext } from './message-context.ts';
import { type SmsKind, smsText } from './sms-texts.ts';
import { writeMessage } from './write-message.ts';

let frame: string;
before(async () => {
  frame = await mailFrame();
});

const MAILS: MessageKind[] = [
  ...(['order_confirmation', 'order_item_changed', 'final_receipt', 'card_declined', 'on_its_way'] as const),
  ...(['delivered', 'order_problem', 'order_canceled', 'order_refunded'] as const),
];
const TEXTS: SmsKind[] = [
  ...(['order_placed', 'store_confirmed', 'order_delayed', 'ready_for_pickup'] as const),
  ...(['on_its_way', 'driver_nearby', 'delivered'] as const),
];

/** The context with the order and its account set to a language. */
function inLanguage(context: MessageContext, language: Language): MessageContext {
  const { order } = context;
  const customer = { ...order.request.customer, language };
  const branding = { ...context.branding, language };
  return { ...context, branding, order: { ...order, request: { ...order.request, customer } } };
}

const mailIn = (kind: MessageKind, context: MessageContext, language: Language) =>
  writeMessage({ channel: 'email', kind }, inLanguage(context, language), {
    mailFrom: 'Doorstep <mail@doorstep.example>',
    textFrom: undefined,
    frame,
  });

/** Parses a text's amounts into cents by the language's number format. */
function amountsOf(text: string, language: Language): number[] {
  const written = language === 'fr' ? /-?\d{1,3}(?:\s\d{3})*,\d\d(?=\s\$)/g : /-?\$\d[\d,]*\.\d\d/g;
  return [...text.matchAll(written)].map(([amount]) => Number(amount.replace(/[^\d-]/g, '')));
}

test('the same order shows the same amounts in every mail of every language, in text and in HTML', () => {
  fc.assert(
    fc.property(carts, fc.constantFrom('US' as const, 'CA' as const), (cart, country) => {
      const context = givenMessageContext(orderOf(cart), { country });
      for (const kind of MAILS) {
        const [english, ...others] = LANGUAGES.map((language) => {
          const { text, html } = mailIn(kind, context, language);
          const shown = (html ?? '').replace(/<[^>]*>/g, ' ');
          return [amountsOf(text, language), amountsOf(shown, language)];
        });
        for (const other of others) assert.deepEqual(other, english, kind);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('each language has words of its own in every mail, and none of English', () => {
  const context = givenRefundContext(DINNER);
  const english = /\b(your order|refund|delivery fee|subtotal is|view|track your|store)\b/i;
  for (const kind of MAILS) {
    const [, french, spanish] = LANGUAGES.map((language) => mailIn(kind, context, language));
    for (const mail of [french, spanish]) {
      assert.doesNotMatch(`${mail?.subject}\n${mail?.text}`.replaceAll(TRACKING_LINK, ''), english);
    }
    assert.match(mailIn(kind, context, 'fr').html ?? '', /<html lang="fr"/);
  }
});

test('a message without a language uses its account’s', () => {
  const context = givenMessageContext(DINNER);
  const ofAccount = { ...context, branding: { ...context.branding, language: 'fr' as const } };
  assert.match(smsText('delivered', ofAccount), /est livrée/);
  assert.match(smsText('delivered', inLanguage(ofAccount, 'es')), /ya fue entregado/);
});

test('every SMS is one part in every language; the first one may have two, and says how to opt out', () => {
  for (const language of LANGUAGES) {
    const context = inLanguage(givenMessageContext(DINNER), language);
    for (const kind of TEXTS) {
      const text = smsText(kind, context);
      assert.equal(smsParts(text), 1, text);
      assert.ok(
        [...text].every((letter) => smsParts(letter.repeat(71)) === 1),
        `a letter of another alphabet: ${text}`,
      );
      const first = smsText(kind, { ...context, saysOptOut: true });
      assert.ok(smsParts(first) <= 2 && /STOP/.test(first), first);
    }
  }
});

/** All texts of a group, with placeholders filled by ASCII letters. */
function textsIn(group: object): string[] {
  const pieces = new Proxy({}, { get: () => 'A1' });
  return Object.values(group).map((text) => (typeof text === 'function' ? text(pieces) : text));
}

test('the catalogs’ SMS texts contain only letters of the GSM alphabet', () => {
  for (const language of LANGUAGES) {
    for (const text of textsIn(localeOf(language, 'US').words.customer.sms)) assert.equal(gsmText(text), text);
  }
});

test('a checked card without a hold yet is described as charged later, in every language', () => {
  const context = givenMessageContext(DINNER);
  const held = { moneyPlan: 'held', chargeState: 'authorized', chargedCents: 0, authorizedCents: 4689 } as const;
  const mailWith = (holdUntil: Temporal.Instant | null, language: Language) =>
    mailIn('order_confirmation', { ...context, order: { ...context.order, ...held, holdUntil } }, language).text;
  for (const language of LANGUAGES) {
    const { held: isHeld, willHold } = localeOf(language, 'US').words.customer.mail;
    const [later, now] = [mailWith(null, language), mailWith(context.at, language)];
    assert.deepEqual([later.includes(willHold), later.includes(isHeld)], [true, false], later);
    assert.deepEqual([now.includes(willHold), now.includes(isHeld)], [false, true], now);
  }
});
