import { OutsideError } from '../../platform/lib/outside-error.ts';

/**
 * `kitchen`: the items to make. `changed`: the same after a change of notes. `receipt`: goes with the order.
 * `canceled`: stops the kitchen.
 */
export type TicketDocument = 'kitchen' | 'receipt' | 'canceled' | 'changed';

/** A ticket for one of a store's printers. */
export type Ticket = {
  /** The printer's address as set by the operator, after NAME://. */
  target: string;
  document: TicketDocument;
  /** The same for every attempt, and for no other ticket. */
  id: string;
  /** The ticket in ESC/POS. */
  bytes: Uint8Array;
  /** The order as its store sees it now, for printers that draw it and points of sale (docs/store-api.md#an-order). */
  order: StoreOrderElement;
};

/** The StoreOrder of the API's description; these members and others. */
export type StoreOrderElement = Readonly<Record<string, unknown>> & {
  readonly order_id: string;
  readonly order_number: string;
  readonly status: string;
  readonly items: readonly (Readonly<Record<string, unknown>> & {
    readonly external_id?: string;
    readonly name: string;
    readonly fulfilled_quantity: number;
    readonly selected_options: readonly { readonly option_id: string; readonly quantity: number }[];
  })[];
};

/** The printers of stores: paper, and other devices that take orders as they come, such as a point of sale. */
export interface Printer {
  /** Resolves once the printer has the whole ticket. Otherwise, and on abort, rejects with PrinterError. */
  print(ticket: Ticket, signal: AbortSignal): Promise<void>;
}

/** The commands of a ticket: ESC/POS, StarPRNT, or Star Line Mode of older Star printers. */
export type TicketCommands = 'escpos' | 'starprnt' | 'starline';

/**
 * The tickets of printers that poll, each known by the secret in its URL; 404 for a secret of none. A ticket waits, in
 * the order of the orders, until `printed`. If it was fetched before, it says on top that it is a reprint.
 */
export interface PolledTickets {
  /**
   * The id of the next ticket, of up to 30 letters, digits, `.`, `-` and `_`. `trouble`: why none can be
   * printed; null if one can, undefined if the printer does not say.
   */
  poll(secret: string, trouble?: string | null): Promise<string | undefined>;
  /** Hands a ticket out: it is not the next one again for `leaseSeconds`. Undefined if it waits no longer. */
  take(
    secret: string,
    id: string,
    how: { commands: TicketCommands; leaseSeconds: number },
  ): Promise<Buffer | undefined>;
  printed(secret: string, id: string): Promise<void>;
  /** The ticket is the next one again after a pause. */
  failed(secret: string, id: string, reason: string): Promise<void>;
}

/** Printers by the names that targets begin with. */
export type Printers = ReadonlyMap<string, Printer>;

/** The printer did not accept a ticket. Always retryable, because paper is refilled and cables are plugged in again. */
export class PrinterError extends OutsideError {
  /** Whether part of the ticket may already be printed; then the next attempt must be marked as a copy. */
  readonly mayBePrinted: boolean;

  constructor(message: string, { mayBePrinted, cause }: { mayBePrinted: boolean; cause?: unknown }) {
    super('printer', message, { retryable: true, cause });
    this.name = 'PrinterError';
    this.mayBePrinted = mayBePrinted;
  }
}
