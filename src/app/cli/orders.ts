import { Argument, Command, InvalidArgumentError } from 'commander';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import { listDeliveries } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { presentCourierDelivery } from '../../fulfillment/deliveries/couriers/courier-delivery.ts';
import { presentProof } from '../../fulfillment/deliveries/proof.ts';
import { findProof } from '../../fulfillment/deliveries/proofs.db.ts';
import { presentNotice, presentOrderNotice } from '../../fulfillment/store-channels/store-notice.ts';
import { listNotices } from '../../fulfillment/store-channels/store-notices.db.ts';
import { presentQueuedMessage } from '../../notify/messages/message.ts';
import { listMessages } from '../../notify/messages/messages.db.ts';
import { withTexts } from '../../notify/messages/write-messages.flow.ts';
import { listCallsOfOrder } from '../../notify/webhooks/calls.db.ts';
import { presentCall } from '../../notify/webhooks/webhook.ts';
import {
  ADVANCE_EVENTS,
  type AdvanceEvent,
  ORDER_STATUSES,
  type Order,
  type OrderStatus,
} from '../../ordering/orders/order.ts';
import { listEvents } from '../../ordering/orders/order-events.db.ts';
import { findAnyOrder } from '../../ordering/orders/orders.db.ts';
import { presentOrder } from '../../ordering/orders/present-order.ts';
import { loadCharges } from '../../ordering/orders/refunds/book-refund.flow.ts';
import { cancelOrder } from '../../ordering/orders/refunds/cancel-order.flow.ts';
import type { RefundItemRequest } from '../../ordering/orders/refunds/item-refund.ts';
import { presentLedgerRefund, presentRefund } from '../../ordering/orders/refunds/present-refund.ts';
import { refundOrder } from '../../ordering/orders/refunds/refund-order.flow.ts';
import { refundsOf } from '../../ordering/orders/refunds/refunds.db.ts';
import { takeStep } from '../../ordering/orders/take-step.flow.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { findQuietReason } from '../../platform/db/quiet.db.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { parseMoment } from '../../platform/lib/time.ts';
import { type ListedOrder, listPlaced, type PlacedFilter } from '../../surfaces/operator/operator-lists.db.ts';
import { sandboxOutbox } from '../../surfaces/sandbox/sandbox-outbox.ts';
import { simulatedDetails } from '../../surfaces/sandbox/simulated-courier.ts';
import { mailFrame } from '../adapters/mail-frame.ts';
import { createSandboxGateway } from '../adapters/payments/sandbox.ts';
import { openGateways } from '../wiring/open-gateways.ts';
import { CommandFailure } from './failure.ts';
import { alignedTable, answer, jsonDocument, momentText, type OutputOptions } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';
import { type ListForm, readPages, writePages } from './write-pages.ts';

export function ordersCommand(): Command {
  return new Command('orders')
    .addCommand(listOrdersCommand())
    .addCommand(showCommand())
    .addCommand(advanceCommand())
    .addCommand(cancelOrderCommand())
    .addCommand(refundOrderCommand());
}

function showCommand(): Command {
  return new Command('show')
    .description(
      'Show an order with its events, charges, messages, webhook calls, offers to the store, couriers and proof of delivery.',
    )
    .argument('<order_id>', 'the order ID from the API or a tracking link')
    .option(
      '--json',
      'print one JSON document: { order, events, charges, refunds, messages, webhook_deliveries, offers, store_notices, deliveries, proof }',
    )
    .action(async (orderId: string, options: OutputOptions) => {
      const document = await withDatabase((context) => orderRecord(context, orderId));
      const rows = document.events.map(({ sequence, type, at }) => [String(sequence), type, at]);
      const { order_number: number = '', status, total_with_tip: total, refunded_amount: refunded } = document.order;
      const summary = [
        orderId,
        `${number}`,
        status,
        formatPrice(total),
        formatPrice(refunded),
        `${document.charges.length}`,
      ];
      const messages = document.messages.map(({ channel, kind, to, state, attempts, last_error: error }) => [
        channel,
        kind,
        to,
        state,
        String(attempts),
        error ?? '',
      ]);
      const offers = document.offers.map((offer) => [
        offer.channel,
        offer.state,
        offer.sent_at ?? '',
        offer.acknowledged_at ?? '',
        String(offer.attempts),
      ]);
      const couriers = document.deliveries.map((one) => [
        String(one.attempt),
        one.gateway,
        one.state,
        one.fee_cents === null ? '' : formatPrice(one.fee_cents),
        one.last_error ?? '',
      ]);
      const tables = [
        alignedTable(['ORDER', 'NUMBER', 'STATUS', 'TOTAL', 'REFUNDED', 'CHARGES'], [summary]),
        alignedTable(['#', 'EVENT', 'AT'], rows),
        ...(messages.length > 0
          ? [alignedTable(['CHANNEL', 'MESSAGE', 'TO', 'STATE', 'ATTEMPTS', 'LAST ERROR'], messages)]
          : []),
        ...(offers.length > 0
          ? [alignedTable(['OFFERED ON', 'STATE', 'SENT AT', 'ACKNOWLEDGED AT', 'ATTEMPTS'], offers)]
          : []),
        ...(couriers.length > 0 ? [alignedTable(['COURIER', 'GATEWAY', 'STATE', 'FEE', 'LAST ERROR'], couriers)] : []),
      ];
      answer(options, document, tables.join('\n\n'));
    });
}

function advanceCommand(): Command {
  return new Command('advance')
    .description('Move an order to its next step on behalf of its store or courier.')
    .argument('<order_id>', 'the order ID from the API or a tracking link')
    .addArgument(new Argument('<event>', 'the step').choices(ADVANCE_EVENTS))
    .option('--json', 'print one JSON document: the order')
    .action(async (orderId: string, event: AdvanceEvent, options: OutputOptions) => {
      const order = await withDatabase(async ({ db, config }) => {
        if (!(await findAnyOrder(db, orderId))) throw orderUnknown(orderId);
        const detailsOf = (locked: Order, now: Temporal.Instant) =>
          locked.mode === 'sandbox' ? simulatedDetails(locked, event, { baseUrl: config.baseUrl, now }) : {};
        const needs = { db, clock: systemClock, inventory: { evict: () => {} } };
        const order = await takeStep(needs, orderId, { event, detailsOf });
        return presentOrder(order, trackingSiteOf(await findBranding(db, order.accountId), config.trackingUrl));
      });
      answer(options, order, `${orderId}  ${order.status}${order.is_ready ? '  ready' : ''}`);
    });
}

async function orderRecord({ db, config, log }: CommandContext, orderId: string) {
  const order = await findAnyOrder(db, orderId);
  if (!order) throw orderUnknown(orderId);
  const events = await listEvents(db, orderId);
  const branding = await findBranding(db, order.accountId);
  const kept = await listMessages(db, orderId);
  const outbox = { extras: branding, smsCountries: config.smsCountries, kept };
  const messages = order.mode === 'sandbox' ? sandboxOutbox(order, events, outbox) : kept;
  const notices = await listNotices(db, orderId);
  const writing = { db, config, log, messaging: { frame: mailFrame, textFrom: config.textFrom } };
  return {
    order: presentOrder(order, trackingSiteOf(branding, config.trackingUrl)),
    events: events.map(({ sequence, type, at, data }) => ({ sequence, type, at: momentText(at), data })),
    charges: await presentCharges({ db, config }, order),
    refunds: (await refundsOf(db, order)).map(presentLedgerRefund),
    messages: (await withTexts(writing, messages)).map(presentQueuedMessage),
    proof: presentProof(orderId, await findProof(db, orderId), config.baseUrl),
    webhook_deliveries: (await listCallsOfOrder(db, orderId)).map(presentCall),
    offers: notices.filter(({ kind }) => kind === 'offered').map(presentOrderNotice),
    store_notices: notices.filter(({ kind }) => kind !== 'offered').map(presentNotice),
    deliveries: (await listDeliveries(db, orderId)).map(presentCourierDelivery),
  };
}

/** Reads a sandbox order's charges from the sandbox gateway, and a live order's from the ledger. */
async function presentCharges({ db, config }: Pick<CommandContext, 'db' | 'config'>, order: Order) {
  if (order.mode === 'live') {
    return (await loadCharges(db, order)).map(({ chargeId, cents, takenCents }) => ({
      charge_id: chargeId,
      amount: cents,
      refunded_amount: takenCents,
      status: 'succeeded',
    }));
  }
  const gateway = createSandboxGateway({ db, clock: systemClock, pagesUrl: config.baseUrl });
  const charges = await gateway.listCharges({ orderId: order.orderId });
  return charges.map((charge) => ({
    charge_id: charge.chargeId,
    amount: charge.amountCents,
    refunded_amount: charge.refundedCents,
    status: charge.status,
  }));
}

const PLACED_STATUSES = ORDER_STATUSES.filter((status) => status !== 'unplaced');

type ListOptions = OutputOptions & {
  status?: OrderStatus[];
  store?: string;
  account?: string;
  since?: Temporal.Instant;
};

function listOrdersCommand(): Command {
  return new Command('list')
    .description('List placed orders, newest first; live orders come before sandbox orders.')
    .option('--status <list>', `list only orders with these statuses: ${PLACED_STATUSES.join(', ')}`, parseStatuses)
    .option('--store <store_id>', 'list only the orders of this store')
    .option('--account <account_id>', 'list only the orders of this account')
    .option(
      '--since <time>',
      'list only orders placed since this time: 2026-06-30 (UTC) or 2026-06-30T18:00:00Z',
      parseSince,
    )
    .option(
      '--json',
      'print one JSON document: { orders: [{ order_id, order_number, mode, account_id, store_id, status, … }] }',
    )
    .action((options: ListOptions) =>
      withDatabase(({ db, signal }) => writePages(options, ORDERS, pagesOfModes(db, options), signal)),
    );
}

const ORDERS: ListForm<ListedOrder> = {
  name: 'orders',
  document: ({ totalCents, refundedCents, createdAt: _, ...order }) => ({
    ...jsonDocument(order),
    total_with_tip: totalCents,
    refunded_amount: refundedCents,
  }),
  heads: ['ORDER', 'NUMBER', 'MODE', 'STATUS', 'TOTAL', 'REFUNDED', 'PLACED', 'STORE'],
  cells: ({ orderId, orderNumber, mode, status, totalCents, refundedCents, placedAt, storeName }) => [
    orderId,
    orderNumber ?? '',
    mode,
    status,
    formatPrice(totalCents),
    formatPrice(refundedCents),
    momentText(placedAt) ?? '',
    storeName,
  ],
};

async function* pagesOfModes(sql: Sql, { status, store, account, since }: ListOptions): AsyncGenerator<ListedOrder[]> {
  const filter: PlacedFilter = { statuses: status, storeId: store, accountId: account, since };
  for (const mode of ['live', 'sandbox'] as const) {
    yield* readPages<ListedOrder>((last, limit) => {
      const before = last?.placedAt ? { at: last.placedAt, id: last.orderId } : undefined;
      return listPlaced(sql, { ...filter, mode, before, limit });
    });
  }
}

function parseStatuses(text: string): OrderStatus[] {
  return text.split(',').map((word) => {
    const status = PLACED_STATUSES.find((known) => known === word.trim());
    if (!status) throw new InvalidArgumentError(`A status must be one of ${PLACED_STATUSES.join(', ')}.`);
    return status;
  });
}

function parseSince(text: string): Temporal.Instant {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text)
      ? Temporal.PlainDate.from(text).toZonedDateTime('UTC').toInstant()
      : parseMoment(text);
  } catch {
    throw new InvalidArgumentError(
      'A time must be a date such as 2026-06-30, or a timestamp such as 2026-06-30T18:00:00Z.',
    );
  }
}

const MAX_REASON = 200;

const orderUnknown = (orderId: string) => new CommandFailure(`No such order: ${orderId}.`);

function cancelOrderCommand(): Command {
  return new Command('cancel')
    .description("Cancel an order that hasn't left the store, and refund what's left of its charge.")
    .argument('<order_id>', 'the order ID from the API or a tracking link')
    .option('--reason <text>', 'the reason, shown to the customer and the account', parseReason)
    .option('--json', 'print one JSON document: the order')
    .action(async (orderId: string, options: OutputOptions & { reason?: string }) => {
      const order = await withDatabase(async (context) => {
        const deps = await depsFor(context, orderId);
        const canceled = await cancelOrder(deps, { orderId, reason: options.reason ?? '' });
        const branding = await findBranding(context.db, canceled.accountId);
        return presentOrder(canceled, trackingSiteOf(branding, context.config.trackingUrl));
      });
      answer(options, order, `${orderId}  ${order.status}  refunded ${formatPrice(order.refunded_amount)}`);
    });
}

function refundOrderCommand(): Command {
  return new Command('refund')
    .description('Refund part of an order that is in progress or completed: an amount, or units of its items.')
    .argument('<order_id>', 'the order ID from the API or a tracking link')
    .option('--amount <cents>', 'cents to refund', parseAmount)
    .option('--item <index:qty>', 'units of an item to refund; the first item is 0; repeatable', parseItem, [])
    .option('--reason <text>', 'the reason, shown to the customer', parseReason)
    .option('--json', 'print one JSON document: { refund_id, order_id, amount, refunded_amount, state }')
    .action(async (orderId: string, options: RefundOptions, command: Command) => {
      const { amount, item, reason = '' } = options;
      if ((amount === undefined) === (item.length === 0)) command.error('error: pass either --amount or --item');
      const what = amount === undefined ? { items: item } : { cents: amount };
      const refund = await withDatabase(async (context) => {
        const deps = await depsFor(context, orderId);
        const made = await refundOrder(deps, { orderId, what, reason, idempotencyKey: null });
        return presentRefund(made.order, made.refund);
      });
      const text = `${refund.refund_id}  ${refund.state}  ${formatPrice(refund.amount)}  refunded in all ${formatPrice(refund.refunded_amount)}`;
      answer(options, refund, text);
    });
}

type RefundOptions = OutputOptions & { amount?: number; item: RefundItemRequest[]; reason?: string };

async function depsFor({ db, config }: CommandContext, orderId: string) {
  if (!(await findAnyOrder(db, orderId))) throw orderUnknown(orderId);
  const quietBecause = await findQuietReason(db, config);
  if (quietBecause !== undefined) throw new CommandFailure(quietBecause);
  const gateways = await openGateways({ config, clock: systemClock }, db);
  return { db, clock: systemClock, gateways, inventory: { evict: () => {} } };
}

function parseAmount(text: string): number {
  if (!/^[1-9]\d{0,10}$/.test(text))
    throw new InvalidArgumentError('The amount must be a whole number of cents above 0.');
  return Number(text);
}

function parseItem(text: string, earlier: readonly RefundItemRequest[]): RefundItemRequest[] {
  const [, index, quantity] = /^(\d{1,2}):([1-9]\d?)$/.exec(text) ?? [];
  if (index === undefined) throw new InvalidArgumentError('An item must be INDEX:QTY, such as 0:2.');
  return [...earlier, { index: Number(index), quantity: Number(quantity) }];
}

function parseReason(text: string): string {
  const reason = text.trim();
  if (reason.length > MAX_REASON) throw new InvalidArgumentError(`A reason can have at most ${MAX_REASON} characters.`);
  return reason;
}
