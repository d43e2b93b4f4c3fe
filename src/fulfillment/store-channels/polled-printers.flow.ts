import type { PolledTickets } from '../../notify/outbox/printer.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { activeTraceparent } from '../../platform/lib/tracing.ts';
import { hasItems, loadTicket, type TicketDeps } from './load-ticket.flow.ts';
import {
  findPolledPrinter,
  findTicket,
  type PolledPrinter,
  recordFailedTicket,
  recordPoll,
  takeTicket,
  withdrawTicket,
} from './polled-printers.db.ts';
import { recordTaken } from './record-taken.flow.ts';
import { isStale, NOTICE_KINDS } from './store-notice.ts';

/**
 * The tickets of printers that poll (docs/tickets.md#printers-that-poll). A ticket is a notice that waits. An attempt
 * is counted before the ticket is handed out, and the ticket is recorded as taken when the printer reports it printed.
 * If anything is lost in between, the ticket is handed out again, marked as a reprint.
 */
export function createPolledTickets(deps: TicketDeps & { jobs: Jobs }): PolledTickets {
  const { db, clock } = deps;
  const find = async (secret: string): Promise<PolledPrinter> => {
    const printer = await findPolledPrinter(db, sha256(secret), clock.now());
    if (!printer) throw new Refusal('route_not_found', 'No printer has this URL.');
    return printer;
  };
  return {
    async poll(secret, trouble) {
      for (let withdrawn = 0; withdrawn < MAX_WITHDRAWN; withdrawn += 1) {
        const printer = await find(secret);
        await notePoll(deps, secret, printer, trouble);
        const { orderId, kind, copy, storeId, channel, leasedUntil } = printer;
        const isLeased = leasedUntil !== null && Temporal.Instant.compare(leasedUntil, clock.now()) > 0;
        if (orderId === null || isLeased || typeof trouble === 'string') return undefined;
        const order = await findAnyOrder(db, orderId);
        const isStaleTicket = !order || isStale({ kind, channel, offer: null }, order);
        if (!isStaleTicket && (await hasItems(deps, { channel, kind }, order)))
          return ticketId({ orderId, kind, copy });
        await withdrawTicket(db, { orderId, kind, copy, storeId, channel });
      }
      return undefined;
    },
    async take(secret, id, { commands, leaseSeconds }) {
      const { storeId, channel } = await find(secret);
      const key = parseTicketId(id);
      const leasedUntil = clock.now().add({ seconds: leaseSeconds });
      const notice = key && (await takeTicket(db, { ...key, storeId, channel }, leasedUntil));
      const order = notice && (await findAnyOrder(db, notice.orderId));
      const ticket = order && (await loadTicket(deps, notice, order, commands));
      return ticket && Buffer.from(ticket.bytes);
    },
    async printed(secret, id) {
      const { storeId, channel } = await find(secret);
      const key = parseTicketId(id);
      const notice = key && (await findTicket(db, { ...key, storeId, channel }));
      if (notice) await recordTaken(deps, { notice, traceparent: activeTraceparent() ?? null });
    },
    async failed(secret, id, reason) {
      const { storeId, channel } = await find(secret);
      const key = parseTicketId(id);
      const notice = key && (await findTicket(db, { ...key, storeId, channel }));
      if (!notice) return;
      const at = clock.now();
      const seconds = Math.min(MAX_PAUSE_SECONDS, 2 ** (notice.attempts + 1));
      await recordFailedTicket(db, notice, { error: reason, retryAt: at.add({ seconds }) });
      await recordPoll(db, sha256(secret), { at, error: reason });
    },
  };
}

/** Maximum useless tickets that one poll withdraws. */
const MAX_WITHDRAWN = 20;
const MAX_PAUSE_SECONDS = 60;
/** How far `seen_at` may lag behind the last poll, so that most polls write nothing. */
export const SEEN_SECONDS = 20;
/** The error of a printer that has stopped polling: any poll clears it. */
export const SILENT = 'The printer has not polled for two minutes.';

async function notePoll(
  { db, clock }: TicketDeps,
  secret: string,
  { seenAt, lastError, isFailing, ticketError }: PolledPrinter,
  trouble: string | null | undefined,
): Promise<void> {
  const at = clock.now();
  const lasting = trouble === undefined && isFailing && lastError !== SILENT ? lastError : null;
  const error = trouble ?? ticketError ?? lasting;
  const isKnown = lastError === error && isFailing === (error !== null);
  if (isKnown && seenAt.until(at).total('seconds') < SEEN_SECONDS) return;
  await recordPoll(db, sha256(secret), { at, error });
}

type TicketIdentity = { orderId: string; kind: (typeof NOTICE_KINDS)[number]; copy: number };

const FIRST_LETTER = 'a'.charCodeAt(0);
const TICKET_ID = /^([\w-]{1,60})\.([a-z])(\d{1,9})$/;

/** Epson takes up to 30 characters: the order's id without `ord_`, a letter for the kind, and the copy. */
function ticketId({ orderId, kind, copy }: TicketIdentity): string {
  return `${orderId.slice('ord_'.length)}.${String.fromCharCode(FIRST_LETTER + NOTICE_KINDS.indexOf(kind))}${copy}`;
}

function parseTicketId(id: string): TicketIdentity | undefined {
  const [, order, letter = '', copy] = id.length <= 80 ? (TICKET_ID.exec(id) ?? []) : [];
  const kind = NOTICE_KINDS[letter.charCodeAt(0) - FIRST_LETTER];
  return kind === undefined ? undefined : { orderId: `ord_${order}`, kind, copy: Number(copy) };
}
