import { findBranding } from '../../access/accounts/brandings.db.ts';
import { type Message, presentOrderMessage } from '../../notify/messages/message.ts';
import { listMessages, listOrdersMessages } from '../../notify/messages/messages.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { MessagesOfOrders } from '../../ordering/order/order-deps.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { sandboxOutbox } from './sandbox-outbox.ts';

type OutboxDeps = { config: Pick<Config, 'smsCountries'>; db: Db };

/** Reads the messages of an account's orders, sent or not. Messages for sandbox orders derive from their logs. */
export function createMessagesOfOrders(deps: OutboxDeps): MessagesOfOrders {
  return async (orders) => {
    const live = orders.filter(({ mode }) => mode === 'live').map(({ orderId }) => orderId);
    const messages = await listOrdersMessages(deps.db, live);
    for (const order of orders) if (order.mode === 'sandbox') messages.push(...(await readSandboxOutbox(deps, order)));
    const byOrder = Map.groupBy(messages, ({ orderId }) => orderId);
    return orders.map((order) => {
      const toCustomer = (byOrder.get(order.orderId) ?? []).filter(({ report }) => report === null);
      return toCustomer.map((message) => presentOrderMessage(message, order));
    });
  };
}

/** The messages that a sandbox order would have sent, and the problems reported with it. */
export async function readSandboxOutbox({ config, db }: OutboxDeps, order: Order): Promise<Message[]> {
  const [events, extras] = await Promise.all([listEvents(db, order.orderId), findBranding(db, order.accountId)]);
  const kept = await listMessages(db, order.orderId);
  return sandboxOutbox(order, events, { extras, smsCountries: config.smsCountries, kept });
}
