import { displayNameOf } from '../../access/accounts/branding.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { Ticket, TicketCommands, TicketDocument } from '../../notify/outbox/printer.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { listRefunds } from '../../ordering/money/refunds.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import { findOrderTaxIds } from '../../ordering/statements/store-terms.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { PRINTER_ENCODINGS } from '../tickets/paper.ts';
import { renderTicket, type TicketPrinting } from '../tickets/render-ticket.ts';
import type { StationTicket } from '../tickets/ticket-documents.ts';
import { asStoreSees, presentStoreOrder, type StoreOrder } from './present-store-order.ts';
import { findCategoryNames, listPrinters } from './stations.db.ts';
import { stationItems } from './stations.ts';
import { stationOf } from './store-channel.ts';
import { mayBeRepeated, type NoticeKind } from './store-notice.ts';
import type { TakenNotice } from './store-notices.db.ts';

/* Writes the ticket of a notice, for printers that receive tickets and for printers that fetch them. */

export type TicketDeps = {
  db: Db;
  clock: Clock;
  config: Pick<Config, 'taxIds'>;
  printing: Pick<TicketPrinting, 'glyphs'>;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
};

/** The last part of a notice's id, which all its attempts share. */
export const copyOf = ({ copy }: TakenNotice) => (copy > 0 ? `.${copy}` : '');

export const noticeId = (notice: TakenNotice) => {
  const station = stationOf(notice.channel);
  return `${notice.orderId}.${notice.kind}${copyOf(notice)}${station === '' ? '' : `.${station}`}`;
};

/** The printer's document for each kind of notice; the kitchen's for all others. */
const DOCUMENTS: Readonly<Partial<Record<NoticeKind, TicketDocument>>> = {
  ready: 'receipt',
  receipt_copy: 'receipt',
  canceled: 'canceled',
  updated: 'changed',
};

/** The items of a printer among several; undefined if it prints all, or the customer's receipt. */
async function stationTicket(
  { db }: Pick<TicketDeps, 'db'>,
  { channel, kind }: Pick<TakenNotice, 'channel' | 'kind'>,
  order: Order,
): Promise<StationTicket | undefined> {
  const name = stationOf(channel);
  if (name === '' || DOCUMENTS[kind] === 'receipt') return undefined;
  const { storeId } = order.quote.store;
  const printers = await listPrinters(db, storeId);
  const ids = order.quote.items.map(({ externalId }) => externalId);
  const items = stationItems(channel, printers, await findCategoryNames(db, storeId, ids));
  return { name, items };
}

/** Whether a printer has anything to print of an order. */
export async function hasItems(
  deps: Pick<TicketDeps, 'db'>,
  notice: Pick<TakenNotice, 'channel' | 'kind'>,
  order: Order,
): Promise<boolean> {
  return (await stationTicket(deps, notice, order))?.items.size !== 0;
}

/** The ticket of a notice; undefined for a printer that prints none of the order's items. */
export async function loadTicket(
  deps: TicketDeps,
  notice: TakenNotice,
  order: Order,
  commands: TicketCommands = 'escpos',
): Promise<Omit<Ticket, 'target'> | undefined> {
  const { db, clock, config, printing } = deps;
  const station = await stationTicket(deps, notice, order);
  if (station?.items.size === 0) return undefined;
  const branding = await findBranding(db, order.accountId);
  const now = clock.now();
  const document = DOCUMENTS[notice.kind] ?? 'kitchen';
  const refunds = await listRefunds(db, order);
  const bytes = renderTicket(document, asStoreSees(order, now), {
    copy: notice.kind === 'updated' ? 0 : notice.copy,
    mayBeRepeated: mayBeRepeated(notice),
    brandName: displayNameOf(branding),
    customerLanguage: branding.language,
    language: notice.language,
    now,
    refunds,
    taxIds: await findOrderTaxIds(db, order, config.taxIds),
    encoding: encodingOf(notice.encoding),
    commands,
    station,
    glyphs: printing.glyphs,
  });
  return { document, id: noticeId(notice), bytes, order: elementOf(deps, { order, refunds }, now) };
}

const encodingOf = (name: string | null) => PRINTER_ENCODINGS.find((encoding) => encoding === name) ?? 'multilingual';

export function elementOf(
  { trackingSites }: Pick<TicketDeps, 'trackingSites'>,
  { order, refunds }: { order: Order; refunds: readonly Refund[] },
  at: Temporal.Instant,
): StoreOrder {
  const { siteUrl } = trackingSites.siteOf(order.accountId);
  return presentStoreOrder(order, { siteUrl, refunds }, at);
}
