import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Static } from 'typebox';
import type { RefundItemRequest } from '../../ordering/money/item-refund.ts';
import { ADVANCE_EVENTS, type AdvanceEvent, ORDER_STATUSES, type OrderStatus } from '../../ordering/order/order.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { epochSeconds, parseMoment } from '../../platform/lib/time.ts';
import { type ListedOrderSchema, listAnyOrdersProcedure } from '../../surfaces/operator/list-any-orders.route.ts';
import {
  type ChangeSchema,
  cancelAnyOrderProcedure,
  refundAnyOrderProcedure,
  tipAnyOrderProcedure,
} from '../../surfaces/operator/order-desk.route.ts';
import { advanceAnyOrderProcedure, readOrderDocumentProcedure } from '../../surfaces/operator/order-document.route.ts';
import { parseAmount, parsed, parseListOf, parseReason, requireReason } from './arguments.ts';
import { type Manage, withGateways, withManagement, withMoney } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';
import { followPages, type ListForm, writePages } from './write-pages.ts';

const ORDER_ID = ['<order_id>', 'the order ID from the API or a tracking link'] as const;

export function ordersCommand(): Command {
  return new Command('orders')
    .addCommand(listOrdersCommand())
    .addCommand(showCommand())
    .addCommand(advanceCommand())
    .addCommand(cancelOrderCommand())
    .addCommand(refundOrderCommand())
    .addCommand(tipOrderCommand());
}

function showCommand(): Command {
  return new Command('show')
    .description(
      'Show an order with its events, charges, messages, webhook calls, offers to the store, couriers and proof of delivery.',
    )
    .argument(...ORDER_ID)
    .option(
      '--json',
      'print one JSON document: { order, events, charges, refunds, messages, webhook_deliveries, offers, store_notices, deliveries, proof }',
    )
    .action(async (orderId: string, options: OutputOptions) => {
      const document = await withGateways((manage) =>
        manage(readOrderDocumentProcedure, { params: { order_id: orderId } }),
      );
      const rows = document.events.map((event) => texts(event, ['sequence', 'type', 'at']));
      const { order_number: number = '', status, total_with_tip: total, refunded_amount: refunded } = document.order;
      const summary = [
        orderId,
        `${number}`,
        status,
        formatPrice(total),
        formatPrice(refunded),
        `${document.charges.length}`,
      ];
      const messages = document.messages.map((one) =>
        texts(one, ['channel', 'kind', 'to', 'state', 'attempts', 'last_error']),
      );
      const offers = document.offers.map((one) =>
        texts(one, ['channel', 'state', 'sent_at', 'acknowledged_at', 'attempts']),
      );
      const couriers = document.deliveries.map((one) => [
        ...texts(one, ['attempt', 'gateway', 'state']),
        typeof one.fee_cents === 'number' ? formatPrice(one.fee_cents) : '',
        ...texts(one, ['last_error']),
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
    .argument(...ORDER_ID)
    .addArgument(new Argument('<event>', 'the step').choices(ADVANCE_EVENTS))
    .option('--json', 'print one JSON document: the order')
    .action(async (orderId: string, event: AdvanceEvent, options: OutputOptions) => {
      const order = await withManagement((manage) =>
        manage(advanceAnyOrderProcedure, { params: { order_id: orderId }, body: { event } }),
      );
      answer(options, order, `${orderId}  ${order.status}${order.is_ready ? '  ready' : ''}`);
    });
}

/** Members of a record as cells. */
const texts = (record: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  names.map((name) => String(record[name] ?? ''));

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
    .option(
      '--status <list>',
      `list only orders with these statuses: ${PLACED_STATUSES.join(', ')}`,
      parseListOf(PLACED_STATUSES),
    )
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
      withManagement((manage, signal) => writePages(options, ORDERS, pagesOfModes(manage, options), signal)),
    );
}

type ListedOrder = Static<typeof ListedOrderSchema>;

const ORDERS: ListForm<ListedOrder> = {
  name: 'orders',
  document: ({ account_name: _, created_at: __, placed_at, ...order }) => ({
    ...order,
    placed_at: secondsText(placed_at),
  }),
  heads: ['ORDER', 'NUMBER', 'MODE', 'STATUS', 'TOTAL', 'REFUNDED', 'PLACED', 'STORE'],
  cells: (order) => [
    order.order_id,
    order.order_number ?? '',
    order.mode,
    order.status,
    formatPrice(order.total_with_tip),
    formatPrice(order.refunded_amount),
    secondsText(order.placed_at) ?? '',
    order.store_name,
  ],
};

const PAGE_SIZE = 1000;

async function* pagesOfModes(
  manage: Manage,
  { status, store, account, since }: ListOptions,
): AsyncGenerator<ListedOrder[]> {
  const filter = {
    ...(status && { status: status.join(',') }),
    ...(store !== undefined && { store_id: store }),
    ...(account !== undefined && { account_id: account }),
    // Unplaced orders are left out.
    since: since ? epochSeconds(since) : 0,
    limit: PAGE_SIZE,
  };
  for (const mode of ['live', 'sandbox'] as const) {
    yield* followPages(
      (before: string | undefined) =>
        manage(listAnyOrdersProcedure, { query: { ...filter, mode, ...(before && { before }) } }),
      ({ orders }) => orders,
    );
  }
}

const parseSince = parsed(
  (text) => parseMoment(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text),
  'a date such as 2026-06-30, or a timestamp such as 2026-06-30T18:00:00Z',
);

const REASON = ['--reason <text>', 'the reason, which the customer and the account may read', parseReason] as const;
const PREVIEW = ['--preview', 'only say what would happen, and print the ID that confirms it'] as const;
const CHANGE_JSON = 'with --preview: { order_id, preview_id, status, refund_amount, charge_amount, total_with_tip }';

type DeskOptions = OutputOptions & { reason?: string; preview?: true; previewId?: string };
type Change = Static<typeof ChangeSchema>;
type Confirmation = { preview: true } | { preview_id: string; reason: string };

/**
 * Changes an order's money by its preview, whose ID acts once; without `previewId` the preview is made first. Returns
 * the change; undefined after answering a preview, which changes nothing.
 */
async function changeMoney(
  options: DeskOptions,
  send: (confirmation: Confirmation) => Promise<Change>,
): Promise<Change | undefined> {
  const { reason = '', preview, previewId } = options;
  if (previewId !== undefined) return send({ preview_id: previewId, reason });
  const planned = await send({ preview: true });
  if (preview) {
    const { preview: made, order_id, status, refund_amount, charge_amount, total_with_tip } = planned;
    const document = {
      order_id,
      preview_id: made?.preview_id ?? null,
      status,
      refund_amount,
      charge_amount,
      total_with_tip,
    };
    const what = `refunds ${formatPrice(refund_amount)}, charges ${formatPrice(charge_amount)}`;
    answer(options, document, made ? `${made.preview_id}  ${what}` : 'Nothing would change.');
    return undefined;
  }
  return planned.preview ? send({ preview_id: planned.preview.preview_id, reason }) : planned;
}

function cancelOrderCommand(): Command {
  return moneyCommand('cancel', "Cancel an order that hasn't left the store, and refund what's left of its charge.")
    .option('--json', `print one JSON document: the order; ${CHANGE_JSON}`)
    .action(async (order_id: string, options: DeskOptions, command: Command) => {
      if (!options.preview) requireReason(options, command);
      await withMoney(async (manage) => {
        const send = (body: Confirmation) => manage(cancelAnyOrderProcedure, { params: { order_id }, body });
        if (!(await changeMoney(options, send))) return;
        const { order } = await manage(readOrderDocumentProcedure, { params: { order_id } });
        answer(options, order, `${order_id}  ${order.status}  refunded ${formatPrice(order.refunded_amount)}`);
      });
    });
}

function tipOrderCommand(): Command {
  return moneyCommand('tip', 'Raise the tip of a delivery, and charge the difference to the card that paid.')
    .requiredOption('--tip <cents>', 'the whole tip', parseAmount)
    .option('--json', `print one JSON document: the order; ${CHANGE_JSON}`)
    .action(async (order_id: string, options: DeskOptions & { tip: number }, command: Command) => {
      if (!options.preview) requireReason(options, command);
      await withMoney(async (manage) => {
        const send = (confirmation: Confirmation) =>
          manage(tipAnyOrderProcedure, {
            params: { order_id },
            body: { driver_tip_cents: options.tip, ...confirmation },
          });
        if (!(await changeMoney(options, send))) return;
        const { order } = await manage(readOrderDocumentProcedure, { params: { order_id } });
        answer(
          options,
          order,
          `${order_id}  tip ${formatPrice(order.driver_tip_cents)}  total ${formatPrice(order.total_with_tip)}`,
        );
      });
    });
}

type RefundOptions = DeskOptions & { amount?: number; item: RefundItemRequest[]; tip?: boolean };

function refundOrderCommand(): Command {
  return moneyCommand(
    'refund',
    'Refund part of an order that is in progress or completed: an amount, or units of its items.',
  )
    .option('--amount <cents>', 'cents to refund', parseAmount)
    .option('--item <index:qty>', 'units of an item to refund; the first item is 0; repeatable', parseItem, [])
    .option('--tip', 'the tip too, which the driver keeps and the operator bears')
    .option(
      '--json',
      `print one JSON document: { refund_id, order_id, amount, refunded_amount, state }; ${CHANGE_JSON}`,
    )
    .action(async (order_id: string, options: RefundOptions, command: Command) => {
      const { amount, item: items, tip: refund_tip = false } = options;
      const given = Number(amount !== undefined) + Number(items.length > 0);
      if (given > 1 || (given === 0 && !refund_tip)) command.error('error: pass either --amount or --item');
      if (!options.preview) requireReason(options, command);
      const what = {
        ...(amount !== undefined && { amount }),
        ...(items.length > 0 && { items }),
        ...(refund_tip && { refund_tip }),
      };
      await withMoney(async (manage) => {
        const params = { order_id };
        const send = (confirmation: Confirmation) =>
          manage(refundAnyOrderProcedure, { params, body: { ...what, ...confirmation } });
        const change = await changeMoney(options, send);
        if (!change) return;
        const { refund_id } = change;
        const { order, refunds } = await manage(readOrderDocumentProcedure, { params });
        const made = refunds.find((refund) => refund.refund_id === refund_id) ?? {};
        const [state] = texts(made, ['state']);
        const { refunded_amount } = order;
        const document = { refund_id, order_id, amount: made.amount, refunded_amount, state };
        const text = `${refund_id}  ${state}  ${formatPrice(Number(made.amount))}  refunded in all ${formatPrice(refunded_amount)}`;
        answer(options, document, text);
      });
    });
}

const moneyCommand = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .argument(...ORDER_ID)
    .option(...REASON)
    .option(...PREVIEW)
    .addOption(
      new Option(
        '--preview-id <id>',
        'act as this preview said, once: the command repeated with the same ID does nothing',
      ).conflicts('preview'),
    );

function parseItem(text: string, earlier: readonly RefundItemRequest[]): RefundItemRequest[] {
  const [, index, quantity] = /^(\d{1,2}):([1-9]\d?)$/.exec(text) ?? [];
  if (index === undefined) throw new InvalidArgumentError('An item must be INDEX:QTY, such as 0:2.');
  return [...earlier, { index: Number(index), quantity: Number(quantity) }];
}
