import { e164Of } from '../../platform/lib/phone.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import { formatMailbox, isPlainAddress, senderOf } from '../outbox/mailbox.ts';
import { mailHtml, mailText } from './mail-bodies.ts';
import type { MailContent } from './mail-content.ts';
import type { MessageKind, WrittenMessage } from './message.ts';
import type { MessageContext } from './message-context.ts';
import type { MessageToWrite } from './messages-for-event.ts';
import {
  cancelationMail,
  cardDeclinedMail,
  deliveredMail,
  finalReceiptMail,
  itemChangedMail,
  onItsWayMail,
  problemMail,
  receiptMail,
  refundMail,
} from './order-mails.ts';
import { type SmsKind, smsText } from './sms-texts.ts';

/** Service settings that appear in messages. */
export type MessageSettings = {
  mailFrom: string;
  /** Sender number of SMS; without it, the account's name is the sender. */
  textFrom: string | undefined;
  /** The compiled HTML frame of emails. */
  frame: string;
};

type MailKind = Exclude<MessageKind, SmsKind> | 'on_its_way' | 'delivered';

const MAILS: Readonly<Record<MailKind, (context: MessageContext) => MailContent>> = {
  order_confirmation: receiptMail,
  order_item_changed: itemChangedMail,
  final_receipt: finalReceiptMail,
  card_declined: cardDeclinedMail,
  on_its_way: onItsWayMail,
  delivered: deliveredMail,
  order_problem: problemMail,
  order_canceled: cancelationMail,
  order_refunded: refundMail,
};

/** Maximum length of a subject. Servers accept about 990 bytes unfolded; people read the first sixty. */
const MAX_SUBJECT = 150;

/** Writes one message in full. An SMS to a customer without a phone number has an empty recipient. */
export function writeMessage(
  { channel, kind, copy = 0 }: MessageToWrite & { copy?: number },
  context: MessageContext,
  settings: MessageSettings,
): WrittenMessage {
  if (channel === 'sms') return writeSms(kind as SmsKind, context, settings);
  const written = MAILS[kind as MailKind](context);
  const { sentAgain } = written.locale.words.customer.mail;
  const content = copy === 0 ? written : { ...written, subject: sentAgain({ subject: written.subject }) };
  if (kind === 'order_problem') return writeProblem(content, context, settings);
  return writeMail(content, context, settings, kind === 'order_confirmation' ? context.branding.bccAddress : null);
}

function writeSms(kind: SmsKind, context: MessageContext, { textFrom, mailFrom }: MessageSettings): WrittenMessage {
  const { phone } = context.order.request.customer;
  return {
    recipient: phone === null ? '' : e164Of(phone),
    bcc: null,
    sender: textFrom ?? senderOf(context.branding, mailFrom).name,
    subject: null,
    text: smsText(kind, context),
    html: null,
  };
}

/** Writes the email to the account's help about a problem; the response goes to the customer. */
function writeProblem(content: MailContent, context: MessageContext, settings: MessageSettings): WrittenMessage {
  const { order, branding } = context;
  const { email } = order.request.customer;
  return {
    ...writeMail(content, context, settings, null),
    recipient: branding.helpEmail ?? '',
    replyTo: isPlainAddress(email) ? email : undefined,
  };
}

function writeMail(
  content: MailContent,
  { order, branding }: MessageContext,
  { mailFrom, frame }: MessageSettings,
  bcc: string | null,
): WrittenMessage {
  return {
    recipient: order.request.customer.email,
    bcc,
    sender: formatMailbox(senderOf(branding, mailFrom)),
    subject: shorten(oneLine(content.subject), MAX_SUBJECT),
    text: mailText(content),
    html: mailHtml(frame, content),
  };
}
