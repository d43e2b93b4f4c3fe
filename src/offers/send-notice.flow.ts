import { displayNameOf } from '../accounts/branding.ts';
import { findBranding } from '../accounts/brandings.db.ts';
import type { TrackingSites } from '../accounts/tracking-sites.cache.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { OutsideError } from '../lib/outside-error.ts';
import type { PublicHttp } from '../lib/public-http.ts';
import { sha256 } from '../lib/sha256.ts';
import { secretsInForce, signedHeaders } from '../lib/standard-webhook.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { mailHtml } from '../messages/mail-html.ts';
import { mailText } from '../messages/mail-text.ts';
import { parseMailbox } from '../messages/mailbox.ts';
import type { Messaging } from '../messages/messaging.ts';
import { numberOf, type Order } from '../orders/order.ts';
import { refundsOf } from '../orders/refunds/refunds.db.ts';
import { PRINTER_ENCODINGS, type PrinterEncoding } from '../tickets/printable-text.ts';
import type { Printing } from '../tickets/printer.ts';
import { renderTicket } from '../tickets/render-ticket.ts';
import type { TicketDocument } from '../tickets/ticket.ts';
import { noticeCallBody } from './notice-call.ts';
import { type NoticeText, noticeMail, noticeSms } from './notice-content.ts';
import { mayBeRepeated, type NoticeKind, storeLinkOf } from './store-notice.ts';
import { saveLinkHash, type TakenNotice } from './store-notices.db.ts';

/** How channels are reached. */
export type SendDeps = {
  db: Db;
  config: Config;
  clock: Clock;
  messaging: Messaging;
  publicHttp: PublicHttp;
  printing: Printing;
  tokens: TokenSealer;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
};

const CALL_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Doorstep-Stores/1' };

/** Tells one channel one notice; ends when the channel has taken it. Throws OutsideError where it has not. */
export async function sendNotice(deps: SendDeps, notice: TakenNotice, order: Order): Promise<void> {
  const { channel, target } = notice;
  if (target === null) throw new OutsideError(channel, 'has no target', { retryable: true });
  if (channel === 'email') return sendMail(deps, notice, order, target);
  if (channel === 'sms') return sendText(deps, notice, order, target);
  if (channel === 'webhook') return call(deps, notice, order, target);
  return print(deps, notice, order, target);
}

/** The document of each kind of notice that a printer gets. */
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
  const bytes = renderTicket(DOCUMENTS[notice.kind], order, {
    copy: notice.copy,
    mayBeRepeated: mayBeRepeated(notice),
    brandName: displayNameOf(await findBranding(db, order.accountId)),
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

/** An offer has a link that opens the order. It works before the mail or SMS with it can arrive. */
async function textOf({ config, db, tokens }: SendDeps, notice: TakenNotice, order: Order): Promise<NoticeText> {
  const { kind } = notice;
  const text = { order, orderNumber: numberOf(order), kind };
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
  const { texter } = deps.messaging;
  if (!texter) throw new OutsideError('SMS', 'not configured', { retryable: true });
  await texter.sendText({ to, body: noticeSms(await textOf(deps, notice, order)) });
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
