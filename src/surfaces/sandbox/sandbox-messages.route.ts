import type { Logger } from 'pino';
import { Type } from 'typebox';
import { mayAct } from '../../access/accounts/account.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { operation } from '../../access/operations/operation.ts';
import { MESSAGE_CHANNELS, MESSAGE_KINDS, presentMessage } from '../../notify/messages/message.ts';
import { shortenLink } from '../../notify/messages/shorten-links.flow.ts';
import { isPhoneInReach } from '../../notify/messages/sms-reach.ts';
import { checkoutSms } from '../../notify/messages/sms-texts.ts';
import { withTexts } from '../../notify/messages/write-messages.flow.ts';
import { senderOf } from '../../notify/outbox/mailbox.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { checkoutTokenOf, checkoutUrlOf } from '../../ordering/order/checkout-link.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { findOrder } from '../../ordering/order/orders.db.ts';
import type { Config } from '../../platform/config/config.ts';
import { describedObject } from '../../platform/http/api-components.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { readSandboxOutbox } from './order-messages.flow.ts';
import { outboxId } from './sandbox-outbox.ts';

/* The endpoint that shows a sandbox's messages, which are written and never sent. */

type OutboxDeps = Pick<OrderDeps, 'db' | 'clock' | 'trackingSites' | 'tokens'> & {
  config: Config;
  log: Logger;
  messaging: Messaging;
};

const text = Type.String();
const maybeText = Type.Union([Type.String(), Type.Null()]);

/** Lists the outbox, which is empty for unknown orders and orders of other accounts. */
export const sandboxMessagesOperation = operation({
  name: 'listSandboxMessages',
  endpoint: 'GET /sandbox/messages',
  summary: 'List the text messages and emails of a sandbox order, oldest first',
  description:
    'Returns the texts that a live order would send. Their links contain the `key` only for a key with the scope `order`. A sandbox order sends no messages.',
  example: { query: { order_id: '{order_id}' } },
  query: Type.Object({ order_id: Type.String({ maxLength: 255, description: 'The order.' }) }),
  answer: describedObject("Empty if the order isn't yours.", {
    messages: Type.Array(
      Type.Object({
        id: text,
        order_id: text,
        channel: Type.Enum([...MESSAGE_CHANNELS]),
        kind: Type.Enum(['checkout_link', ...MESSAGE_KINDS]),
        to: text,
        bcc: maybeText,
        from: text,
        subject: maybeText,
        text,
        html: maybeText,
        timestamp: Type.Integer(),
      }),
    ),
  }),
  on: { account: { scope: 'read', config: { sandboxOnly: true } } },
}).run(async (deps: OutboxDeps, { by: { caller }, query }) => {
  const order = await findOrder(deps.db, caller, query.order_id);
  if (!order) return { messages: [] };
  const messages = await readSandboxOutbox(deps, order);
  const { config, log, db, clock, messaging } = deps;
  const tokens = mayAct(caller) ? deps.tokens : undefined;
  const written = await withTexts({ config, log, db, clock, messaging, tokens }, messages);
  return { messages: [...(await checkoutMessages(deps, order, tokens)), ...written.map(presentMessage)] };
});

/** The SMS with the checkout link for a store's phone order with `pay: "link"`. */
async function checkoutMessages(
  { config, db, clock, messaging, trackingSites }: OutboxDeps,
  order: Order,
  tokens?: TokenSealer,
) {
  const { orderId, accountId, request, createdAt, checkoutKey } = order;
  const isTexted = request.placedBy === 'store' && request.chargeUser && !request.disableSms && checkoutKey !== null;
  if (!isTexted || !isPhoneInReach(request, config.smsCountries)) return [];
  const site = trackingSites.siteOf(accountId);
  const token = tokens && checkoutTokenOf(tokens, order);
  const url = checkoutUrlOf(site, token ?? '');
  const link = tokens && token ? await shortenLink({ db, clock, tokens }, site.siteUrl, url) : url;
  return [
    {
      id: outboxId(orderId, 0, 'checkout_link'),
      order_id: orderId,
      channel: 'sms' as const,
      kind: 'checkout_link' as const,
      to: e164Of(request.customer.phone ?? 0),
      bcc: null,
      from: messaging.textFrom ?? senderOf(await findBranding(db, accountId), config.mailFrom).name,
      subject: null,
      text: checkoutSms(order, link, false),
      html: null,
      timestamp: epochSeconds(createdAt),
    },
  ];
}
