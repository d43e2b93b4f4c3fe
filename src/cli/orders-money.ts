import { Command, InvalidArgumentError } from 'commander';
import { findBranding } from '../accounts/brandings.db.ts';
import { trackingSiteOf } from '../accounts/tracking-site.ts';
import { systemClock } from '../lib/clock.ts';
import { formatPrice } from '../lib/money.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { presentOrder } from '../orders/present-order.ts';
import { cancelOrder } from '../orders/refunds/cancel-order.flow.ts';
import type { AskedItem } from '../orders/refunds/item-refund.ts';
import { presentRefund } from '../orders/refunds/present-refund.ts';
import { refundOrder } from '../orders/refunds/refund-order.flow.ts';
import { openGateways } from '../wiring/open-gateways.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

const MAX_REASON = 200;

export const orderUnknown = (orderId: string) => new CommandFailure(`There is no order ${orderId}.`);

export function cancelOrderCommand(): Command {
  return new Command('cancel')
    .description('Cancel an order that has not left its store, and give back all that is left of what was charged.')
    .argument('<order_id>', 'the id in an answer or a tracking link')
    .option('--reason <text>', 'why, for the customer and the account', parseReason)
    .option('--json', 'answer with one JSON document: the order')
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

export function refundOrderCommand(): Command {
  return new Command('refund')
    .description('Give back a part of an order in progress or completed: an amount, or units of its items.')
    .argument('<order_id>', 'the id in an answer or a tracking link')
    .option('--amount <cents>', 'cents to give back', parseAmount)
    .option('--item <index:qty>', 'units of an item to give back, the first item is 0; may be repeated', parseItem, [])
    .option('--reason <text>', 'why, for the customer', parseReason)
    .option('--json', 'answer with one JSON document: { refund_id, order_id, amount, refunded_amount, state }')
    .action(async (orderId: string, options: RefundOptions, command: Command) => {
      const { amount, item, reason = '' } = options;
      if ((amount === undefined) === (item.length === 0)) command.error('error: either --amount or --item is needed');
      const what = amount === undefined ? { items: item } : { cents: amount };
      const refund = await withDatabase(async (context) => {
        const deps = await depsFor(context, orderId);
        const made = await refundOrder(deps, { orderId, what, reason, idempotencyKey: null });
        return presentRefund(made.order, made.refund);
      });
      const text = `${refund.refund_id}  ${refund.state}  ${formatPrice(refund.amount)}  of the order ${formatPrice(refund.refunded_amount)}`;
      answer(options, refund, text);
    });
}

type RefundOptions = OutputOptions & { amount?: number; item: AskedItem[]; reason?: string };

async function depsFor({ db, config }: CommandContext, orderId: string) {
  if (!(await findAnyOrder(db, orderId))) throw orderUnknown(orderId);
  const gateways = await openGateways({ config, clock: systemClock }, db);
  return { db, clock: systemClock, gateways, inventory: { evict: () => {} } };
}

function parseAmount(text: string): number {
  if (!/^[1-9]\d{0,10}$/.test(text)) throw new InvalidArgumentError('The amount is a whole number of cents above 0.');
  return Number(text);
}

function parseItem(text: string, earlier: readonly AskedItem[]): AskedItem[] {
  const [, index, quantity] = /^(\d{1,2}):([1-9]\d?)$/.exec(text) ?? [];
  if (index === undefined) throw new InvalidArgumentError('An item is INDEX:QTY, such as 0:2.');
  return [...earlier, { index: Number(index), quantity: Number(quantity) }];
}

function parseReason(text: string): string {
  const reason = text.trim();
  if (reason.length > MAX_REASON) throw new InvalidArgumentError(`A reason has at most ${MAX_REASON} characters.`);
  return reason;
}
