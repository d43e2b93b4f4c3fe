import { Argument, Command } from 'commander';
import { findBranding } from '../accounts/brandings.db.ts';
import { trackingSiteOf } from '../accounts/tracking-site.ts';
import { createMailFrame } from '../adapters/mail/mail-frame.ts';
import { createSandboxGateway } from '../adapters/payments/sandbox.ts';
import { listDeliveries } from '../deliveries/couriers/courier-deliveries.db.ts';
import { presentCourierDelivery } from '../deliveries/couriers/present-courier-delivery.ts';
import { presentProof } from '../deliveries/present-proof.ts';
import { findProof } from '../deliveries/proofs.db.ts';
import { simulateCourier } from '../deliveries/simulated-courier.ts';
import { systemClock } from '../lib/clock.ts';
import { formatPrice } from '../lib/money.ts';
import { presentQueuedMessage } from '../messages/message.ts';
import { listMessages } from '../messages/messages.db.ts';
import { sandboxOutbox } from '../messages/sandbox-outbox.ts';
import { withTexts } from '../messages/write-messages.flow.ts';
import { presentNotice, presentOffer } from '../offers/store-notice.ts';
import { listNotices } from '../offers/store-notices.db.ts';
import type { Order } from '../orders/order.ts';
import { listEvents } from '../orders/order-events.db.ts';
import { ADVANCE_EVENTS, type AdvanceEvent } from '../orders/order-events.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { presentOrder } from '../orders/present-order.ts';
import { chargesOf } from '../orders/refunds/book-refund.flow.ts';
import { presentLedgerRefund } from '../orders/refunds/present-refund.ts';
import { refundsOf } from '../orders/refunds/refunds.db.ts';
import { takeStep } from '../orders/take-step.flow.ts';
import { listCallsOfOrder } from '../webhooks/calls.db.ts';
import { presentCall } from '../webhooks/webhook.ts';
import { listOrdersCommand } from './orders-list.ts';
import { cancelOrderCommand, orderUnknown, refundOrderCommand } from './orders-money.ts';
import { answer, type OutputOptions, tableOf } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

export function ordersCommand(): Command {
  return new Command('orders')
    .description('List and show orders of any account, take their next step, cancel and refund them.')
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
    .argument('<order_id>', 'the id in an answer or a tracking link')
    .option(
      '--json',
      'answer with one JSON document: { order, events, charges, refunds, messages, webhook_deliveries, offers, store_notices, deliveries, proof }',
    )
    .action(async (orderId: string, options: OutputOptions) => {
      const document = await withDatabase((context) => documentOf(context, orderId));
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
        ...[channel, kind, to, state, String(attempts), error ?? ''],
      ]);
      const offers = document.offers.map((offer) => [
        ...[offer.channel, offer.state, offer.sent_at ?? '', offer.acknowledged_at ?? '', String(offer.attempts)],
      ]);
      const couriers = document.deliveries.map((one) => [
        String(one.attempt),
        one.gateway,
        one.state,
        one.fee_cents === null ? '' : formatPrice(one.fee_cents),
        one.last_error ?? '',
      ]);
      const tables = [
        tableOf(['ORDER', 'NUMBER', 'STATUS', 'TOTAL', 'REFUNDED', 'CHARGES'], [summary]),
        tableOf(['#', 'EVENT', 'AT'], rows),
        ...(messages.length > 0
          ? [tableOf(['CHANNEL', 'MESSAGE', 'TO', 'STATE', 'ATTEMPTS', 'LAST ERROR'], messages)]
          : []),
        ...(offers.length > 0
          ? [tableOf(['OFFERED ON', 'STATE', 'SENT AT', 'ACKNOWLEDGED AT', 'ATTEMPTS'], offers)]
          : []),
        ...(couriers.length > 0 ? [tableOf(['COURIER', 'GATEWAY', 'STATE', 'FEE', 'LAST ERROR'], couriers)] : []),
      ];
      answer(options, document, tables.join('\n\n'));
    });
}

function advanceCommand(): Command {
  return new Command('advance')
    .description('Take the next step of an order in the name of its store or courier.')
    .argument('<order_id>', 'the id in an answer or a tracking link')
    .addArgument(new Argument('<event>', 'the step').choices(ADVANCE_EVENTS))
    .option('--json', 'answer with one JSON document: the order')
    .action(async (orderId: string, event: AdvanceEvent, options: OutputOptions) => {
      const order = await withDatabase(async ({ db, config }) => {
        if (!(await findAnyOrder(db, orderId))) throw orderUnknown(orderId);
        const detailsOf = (locked: Order) => (locked.mode === 'sandbox' ? simulateCourier(locked, event, config) : {});
        const needs = { db, clock: systemClock, inventory: { evict: () => {} } };
        const order = await takeStep(needs, orderId, { event, detailsOf });
        return presentOrder(order, trackingSiteOf(await findBranding(db, order.accountId), config.trackingUrl));
      });
      answer(options, order, `${orderId}  ${order.status}${order.is_ready ? '  ready' : ''}`);
    });
}

async function documentOf({ db, config, log }: CommandContext, orderId: string) {
  const order = await findAnyOrder(db, orderId);
  if (!order) throw orderUnknown(orderId);
  const events = await listEvents(db, orderId);
  const branding = await findBranding(db, order.accountId);
  const outbox = { extras: branding, smsCountries: config.smsCountries };
  const messages = order.mode === 'sandbox' ? sandboxOutbox(order, events, outbox) : await listMessages(db, orderId);
  const notices = await listNotices(db, orderId);
  const writing = { db, config, log, messaging: { frame: createMailFrame(), textFrom: config.textFrom } };
  return {
    order: presentOrder(order, trackingSiteOf(branding, config.trackingUrl)),
    events: events.map(({ sequence, type, at, data }) => ({ sequence, type, at: at.toString(), data })),
    charges: await presentCharges({ db, config }, order),
    refunds: (await refundsOf(db, order)).map(presentLedgerRefund),
    messages: (await withTexts(writing, messages)).map(presentQueuedMessage),
    proof: presentProof(orderId, await findProof(db, orderId), config.baseUrl),
    webhook_deliveries: (await listCallsOfOrder(db, orderId)).map(presentCall),
    offers: notices.filter(({ kind }) => kind === 'offered').map(presentOffer),
    store_notices: notices.filter(({ kind }) => kind !== 'offered').map(presentNotice),
    deliveries: (await listDeliveries(db, orderId)).map(presentCourierDelivery),
  };
}

/** The charges of a sandbox order come from the sandbox gateway, the charges of a live order from the ledger. */
async function presentCharges({ db, config }: Pick<CommandContext, 'db' | 'config'>, order: Order) {
  if (order.mode === 'live') {
    return (await chargesOf(db, order)).map(({ chargeId, cents, takenCents }) => ({
      ...{ charge_id: chargeId, amount: cents, refunded_amount: takenCents, status: 'succeeded' },
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
