import type { Mailer } from '../../src/notify/outbox/messaging.ts';
import type { EventHandler } from '../../src/ordering/order/dispatch-events.flow.ts';
import type { PaymentGateway } from '../../src/ordering/payments/payment-gateway.ts';
import type { TaxCalculator } from '../../src/supply/pricing/tax-calculator.ts';

/** A deliberate fault of the service, injected where the simulation replaces its parts. */
export type Sabotage = {
  rewrite?(text: string): string;
  losesCommit?(): boolean;
  /** Whether nodes date what they store by their own clocks. */
  trustsOwnClock?: boolean;
  gateway?(real: PaymentGateway): PaymentGateway;
  taxes?(real: TaxCalculator): TaxCalculator;
  mailer?(real: Mailer): Mailer;
  eventHandlers?(real: readonly EventHandler[]): readonly EventHandler[];
};

function every(count: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % count === 0;
  };
}

const MESSAGES = 3;

/** A fault, created for each run, and a seed close to one that finds it, in runs of one store or of `parties`. */
type KnownSabotage = { create(): Sabotage; from: number; parties?: number };

export const SABOTAGES: Readonly<Record<string, KnownSabotage>> = {
  'an acknowledged commit that did not happen': { create: () => ({ losesCommit: every(9) }), from: 25 },
  'a node that dates orders by its own clock': { create: () => ({ trustsOwnClock: true }), from: 2 },
  'orders that are changed without a lock': {
    create: () => ({ rewrite: (text) => (/ from "orders" /.test(text) ? text.replace(/ for update$/, '') : text) }),
    from: 7,
    parties: 3,
  },
  'stock that never comes back on sale': {
    create: () => ({
      rewrite: (text) =>
        text
          .replace('qty_available + item.added', 'qty_available + least(item.added, 0)')
          .replace('own.held - item.added', 'own.held - least(item.added, 0)'),
    }),
    from: 17,
  },
  'a refund that is asked for under another key each time': {
    create: () => {
      const rename = renamed();
      return { gateway: (real) => ({ ...real, refund: (one) => real.refund({ ...one, key: rename(one.key) }) }) };
    },
    from: 10,
    parties: 3,
  },
  'a charge that is asked for under another key each time': {
    create: () => {
      const rename = renamed();
      return { gateway: (real) => ({ ...real, charge: (one) => real.charge({ ...one, key: rename(one.key) }) }) };
    },
    from: 12,
  },
  'a capture that is asked for under another key each time': {
    create: () => {
      const rename = renamed();
      return {
        gateway: (real) => ({ ...real, capture: async (one) => real.capture?.({ ...one, key: rename(one.key) }) }),
      };
    },
    from: 1,
    parties: 3,
  },
  'a hold that is made again and leaves the old one': {
    create: () => {
      const newest = new Map<string, string>();
      const isOld = async (real: PaymentGateway, chargeId: string) => {
        const { orderId = '' } = (await real.readCharge(chargeId)) ?? {};
        return newest.has(orderId) && newest.get(orderId) !== chargeId;
      };
      return {
        gateway: (real) => ({
          ...real,
          async authorize(request) {
            const charge = (await real.authorize?.(request)) ?? (await real.charge(request));
            newest.set(request.orderId, charge.chargeId);
            return charge;
          },
          cancelCharge: async (chargeId) => ((await isOld(real, chargeId)) ? undefined : real.cancelCharge(chargeId)),
        }),
      };
    },
    from: 1,
    parties: 3,
  },
  'a tax that is recorded under another reference each time': {
    create: () => {
      const rename = renamed();
      return {
        taxes: (real) => ({ ...real, record: (one) => real.record({ ...one, reference: rename(one.reference) }) }),
      };
    },
    from: 1,
  },
  'a refund that the tax service never gets': {
    create: () => {
      const isLost = every(2);
      return {
        taxes: (real) => ({ ...real, reverse: (one) => (isLost() ? Promise.resolve('lost') : real.reverse(one)) }),
      };
    },
    from: 10,
    parties: 3,
  },
  'an order that is charged other taxes than were computed': {
    create: () => {
      const isOther = every(2);
      return {
        taxes: (real) => ({
          ...real,
          async calculate(order) {
            const calculation = await real.calculate(order);
            const lines = calculation.lines.map((line) => ({ ...line, cents: line.cents.map((cents) => cents + 1) }));
            return isOther() ? { ...calculation, lines } : calculation;
          },
        }),
      };
    },
    from: 18,
    parties: 3,
  },
  'a mail that is sent twice': {
    create: () => {
      const isTwice = every(4);
      return {
        mailer: (real) => ({
          ...real,
          async sendMail(mail) {
            if (isTwice()) await real.sendMail(mail);
            return real.sendMail(mail);
          },
        }),
      };
    },
    from: 9,
  },
  'an event without its messages': {
    create: () => {
      const isForgotten = every(2);
      return {
        eventHandlers: (real) =>
          real.map((handle, at) =>
            at === MESSAGES ? (tx, events) => (isForgotten() ? Promise.resolve() : handle(tx, events)) : handle,
          ),
      };
    },
    from: 17,
  },
  'an entry that its statement lacks': {
    create: () => {
      const isLost = every(4);
      return {
        rewrite: (text) => (/^\s*insert into ledger_entries/.test(text) && isLost() ? `${text} where false` : text),
      };
    },
    from: 20,
  },
};

function renamed(): (key: string) => string {
  let calls = 0;
  return (key) => {
    calls += 1;
    return `${key}:${calls}`;
  };
}
