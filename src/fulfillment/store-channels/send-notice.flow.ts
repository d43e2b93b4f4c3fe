import { displayNameOf } from '../../access/accounts/branding.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { gsmText } from '../../notify/messages/gsm-text.ts';
import { mailHtml, mailText } from '../../notify/messages/mail-bodies.ts';
import type { MailContent, MailFact } from '../../notify/messages/mail-content.ts';
import { parseMailbox } from '../../notify/messages/mailbox.ts';
import type { Messaging } from '../../notify/messages/messaging.ts';
import { type FulfilledItem, fulfilledItems } from '../../ordering/orders/adjustments/item-adjustment.ts';
import { allergensOf } from '../../ordering/orders/item-food.ts';
import { type Order, shownOrderNumber } from '../../ordering/orders/order.ts';
import { arrivalOf, chosenOptions, placedAtOf, unitCountOf } from '../../ordering/orders/order-view.ts';
import { refundsOf } from '../../ordering/orders/refunds/refunds.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { type Locale, localeOf } from '../../platform/languages/catalogs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import type { PublicHttp } from '../../platform/lib/public-http.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { secretsInForce, signedHeaders } from '../../platform/lib/standard-webhook.ts';
import { isoMillis } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Allergen } from '../../supply/catalog/food.ts';
import { PRINTER_ENCODINGS, type PrinterEncoding } from '../tickets/paper.ts';
import type { TicketPrinting } from '../tickets/printer.ts';
import { renderTicket } from '../tickets/render-ticket.ts';
import type { TicketDocument } from '../tickets/ticket-documents.ts';
import { presentStoreOrder } from './present-store-order.ts';
import { mayBeRepeated, type NoticeKind, type StoreNotice, storeLinkOf } from './store-notice.ts';
import { saveLinkHash, type TakenNotice } from './store-notices.db.ts';

export type SendDeps = {
  db: Db;
  config: Config;
  clock: Clock;
  messaging: Messaging;
  publicHttp: PublicHttp;
  printing: TicketPrinting;
  tokens: TokenSealer;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
};

const CALL_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Doorstep-Stores/1' };

/** Sends one notice to one channel. Resolves once the channel has taken it; otherwise rejects with OutsideError. */
export async function sendNotice(deps: SendDeps, notice: TakenNotice, order: Order): Promise<void> {
  const { channel, target } = notice;
  if (target === null) throw new OutsideError(channel, 'has no target', { retryable: true });
  if (channel === 'email') return sendMail(deps, notice, order, target);
  if (channel === 'sms') return sendText(deps, notice, order, target);
  if (channel === 'webhook') return call(deps, notice, order, target);
  return print(deps, notice, order, target);
}

/** The printer's document for each kind of notice. */
const DOCUMENTS: Readonly<Record<NoticeKind, TicketDocument>> = {
  offered: 'kitchen',
  confirmed: 'kitchen',
  kitchen_copy: 'kitchen',
  ready: 'receipt',
  receipt_copy: 'receipt',
  canceled: 'canceled',
  item_changed: 'kitchen',
};

const PRINT_TIMEOUT_MS = 80_000;

async function print(
  { db, clock, printing }: SendDeps,
  notice: TakenNotice,
  order: Order,
  target: string,
): Promise<void> {
  const branding = await findBranding(db, order.accountId);
  const bytes = renderTicket(DOCUMENTS[notice.kind], order, {
    copy: notice.copy,
    mayBeRepeated: mayBeRepeated(notice),
    brandName: displayNameOf(branding),
    customerLanguage: branding.language,
    language: notice.language,
    now: clock.now(),
    refunds: await refundsOf(db, order),
    encoding: encodingOf(notice.encoding),
    glyphs: printing.glyphs,
  });
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? [];
  const address = { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
  await printing.printer.print(address, bytes, AbortSignal.timeout(PRINT_TIMEOUT_MS));
}

function encodingOf(name: string | null): PrinterEncoding {
  return PRINTER_ENCODINGS.find((encoding) => encoding === name) ?? 'multilingual';
}

/** An offer has a link that opens the order. The link works before the email or SMS can arrive. */
async function textOf({ config, db, tokens }: SendDeps, notice: TakenNotice, order: Order): Promise<NoticeText> {
  const { kind } = notice;
  const locale = localeOf(notice.language, order.quote.store.country);
  const text = { order, number: shownOrderNumber(order), kind, locale };
  if (kind !== 'offered') return { ...text, link: `${config.baseUrl}/console` };
  const link = storeLinkOf(tokens, notice);
  await saveLinkHash(db, notice, sha256(link));
  return { ...text, link: `${config.baseUrl}/console/order/${link}` };
}

async function sendMail(deps: SendDeps, notice: TakenNotice, order: Order, to: string): Promise<void> {
  const { mailer, frame } = deps.messaging;
  if (!mailer) throw new OutsideError('mail', 'not configured', { retryable: true });
  const content = noticeMail(await textOf(deps, notice, order));
  await mailer.sendMail({
    messageId: `${notice.orderId}.${notice.channel}.${notice.kind}`,
    from: parseMailbox(deps.config.mailFrom),
    to,
    bcc: null,
    subject: content.subject,
    text: mailText(content),
    html: mailHtml(await frame(), content),
    date: notice.createdAt,
  });
}

async function sendText(deps: SendDeps, notice: TakenNotice, order: Order, to: string): Promise<void> {
  const { smsSender } = deps.messaging;
  if (!smsSender) throw new OutsideError('SMS', 'not configured', { retryable: true });
  await smsSender.sendText({ to, body: noticeSms(await textOf(deps, notice, order)) });
}

/** Only 2xx is a success, as with the webhooks of accounts. */
async function call(
  { clock, publicHttp, trackingSites }: SendDeps,
  notice: TakenNotice,
  order: Order,
  url: string,
): Promise<void> {
  const body = noticeCallBody(notice, order, trackingSites.siteOf(order.accountId).siteUrl);
  const id = `${notice.orderId}.${notice.kind}${notice.kind === 'item_changed' ? `.${notice.copy}` : ''}`;
  const at = clock.now();
  const { signingSecret: secret, previousSecret: previous, previousSecretUntil: previousUntil } = notice;
  const signature = signedHeaders(secretsInForce({ secret: secret ?? '', previous, previousUntil }, at), {
    id,
    at,
    body,
  });
  const answer = await publicHttp.post(url, { headers: { ...CALL_HEADERS, ...signature }, body });
  if ('failure' in answer) throw new OutsideError('webhook', answer.failure, { retryable: true });
  if (answer.status < 200 || answer.status > 299) {
    throw new OutsideError('webhook', `status ${answer.status}`, { retryable: true });
  }
}

const MAX_SMS_NAME = 24;

/** Inputs of an email or SMS to a store. */
type NoticeText = { order: Order; number: string; kind: NoticeKind; link: string; locale: Locale };

/** An SMS to a store, without the customer's name. */
function noticeSms({ order, number, kind, link, locale }: NoticeText): string {
  const { notice, terms } = locale.words.store;
  const store = shorten(oneLine(order.quote.store.name), MAX_SMS_NAME);
  if (kind === 'canceled') return gsmText(notice.smsCanceled({ store, number }));
  const items = terms.items({ count: unitCountOf(order) });
  const offer = order.request.mode === 'pickup' ? notice.smsPickup : notice.smsDelivery;
  return gsmText(`${offer({ store, number, items })} ${dueInWords(order, locale)} ${notice.smsOpen({ link })}`);
}

/** An email to a store. Items are listed with options and notes, without prices. */
function noticeMail({ order, number, kind, link, locale }: NoticeText): MailContent {
  const { notice, terms } = locale.words.store;
  const { name } = order.quote.store;
  const isCanceled = kind === 'canceled';
  const isPickup = order.request.mode === 'pickup';
  const headline = isCanceled ? notice.canceled({ number }) : notice.newOrder({ number });
  const offer = `${isPickup ? notice.isPickup : notice.isDelivery} ${dueInWords(order, locale)} ${notice.confirmIt}`;
  return {
    locale,
    brand: { name, logoUrl: undefined },
    subject: notice.subject({ headline, mode: isPickup ? terms.pickup : terms.delivery, store: name }),
    headline,
    lead: [isCanceled ? notice.doNotMake : offer],
    link: { label: isCanceled ? notice.seeOrder : notice.open, url: link },
    facts: [...handedOver(order).map((item) => factOf(item, locale)), ...notesOf(order, locale)],
    receipt: undefined,
    foot: [notice.foot],
  };
}

/** The items of an order, without those that the store lacks. */
function handedOver(order: Order): FulfilledItem[] {
  return fulfilledItems(order).filter(({ quantity }) => quantity > 0);
}

function factOf(item: FulfilledItem, { words }: Locale): MailFact {
  const { terms } = words.store;
  const note = oneLine(item.notes);
  const options = chosenOptions(item.customizations).map(
    ({ name, quantity, depth }) => `${'– '.repeat(depth + 1)}${quantity > 1 ? `${quantity} × ` : ''}${name}`,
  );
  const lines = [item.name, ...options, ...allergenLines(item, terms)];
  return { label: `${item.quantity} ×`, lines: note === '' ? lines : [...lines, terms.note({ note })] };
}

function allergenLines(item: FulfilledItem, terms: Locale['words']['store']['terms']): string[] {
  const { contains, mayContain } = allergensOf(item);
  const line = (say: (pieces: { list: string }) => string, allergens: readonly Allergen[] | null) =>
    allergens && allergens.length > 0
      ? [say({ list: allergens.map((allergen) => terms.allergen[allergen]).join(', ') })]
      : [];
  return [...line(terms.allergens, contains), ...line(terms.mayContain, mayContain)];
}

function notesOf({ request }: Order, { words }: Locale): MailFact[] {
  const { pickupNotes, dropoffNotes } = request.customer;
  const note = oneLine(request.mode === 'pickup' ? pickupNotes : dropoffNotes);
  return note === '' ? [] : [{ label: words.store.notice.note, lines: [note] }];
}

/** `Due by 6:45 PM.`, or the slot of a scheduled order, in the store's time zone. */
function dueInWords(order: Order, { words, format }: Locale): string {
  const { notice } = words.store;
  const { quote } = order;
  const { timeZone } = quote.store;
  if (quote.scheduled) return notice.scheduledFor({ slot: format.slot(quote.scheduled, timeZone) });
  return notice.dueBy({ time: format.moment(arrivalOf(order), timeZone, placedAtOf(order)) });
}

/** Types of calls to a POS webhook, by kind of notice. */
const TYPES: Partial<Record<NoticeKind, string>> = { canceled: 'order.canceled', item_changed: 'order.item_changed' };

/** The body of a call to a store's POS, in the format of calls to accounts (docs/store-api.md#pos-webhook). */
function noticeCallBody({ kind, createdAt }: StoreNotice, order: Order, siteUrl: string): string {
  return JSON.stringify({
    type: TYPES[kind] ?? 'order.offered',
    timestamp: isoMillis(createdAt),
    data: { order: presentStoreOrder(order, siteUrl) },
  });
}
