import { Command, InvalidArgumentError, Option } from 'commander';
import { findStoreTerms, setStoreTerms } from '../../ordering/statements/store-terms.db.ts';
import {
  isCommission,
  MAX_COMMISSION_PERCENT,
  MAX_PER_ORDER_CENTS,
  presentTerms,
  readTermsChanges,
  type StatementTerms,
} from '../../ordering/statements/terms.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

type TermsOptions = OutputOptions & {
  commission?: number;
  perOrderCents?: number;
  deliveryFee?: 'store' | 'operator' | 'default';
  tip?: StatementTerms['tip'];
  tax?: StatementTerms['tax'];
};

/** `doorstep stores terms`: shows or sets what the operator keeps of a store's orders. */
export function storeTermsCommand(): Command {
  return new Command('terms')
    .description(
      'Show or set the terms of statements, for orders placed from then on. Options left out stay as they are.',
    )
    .argument('<store_id>', 'the ID shown by `stores list` and store search')
    .option('--commission <percent>', "percent of the items' subtotal", parsePercent)
    .option('--per-order-cents <cents>', 'fee per order', parseCents)
    .addOption(
      new Option(
        '--delivery-fee <owner>',
        'who gets the delivery fee; default: the operator where an outside courier drives, else the store',
      ).choices(['store', 'operator', 'default']),
    )
    .addOption(new Option('--tip <owner>', 'who gets the tip').choices(['driver', 'store']))
    .addOption(new Option('--tax <owner>', 'who remits the taxes').choices(['operator', 'store']))
    .option('--json', 'print one JSON document: { store_id, commission, per_order_cents, delivery_fee, tip, tax }')
    .action(async (storeId: string, options: TermsOptions) => {
      const { perOrderCents: per_order_cents, deliveryFee: delivery_fee, ...others } = options;
      const changes = readTermsChanges({ ...others, per_order_cents, delivery_fee });
      const terms = await withDatabase(({ db }) =>
        db.transaction().execute(async (tx) => {
          if (!(await findStore(tx, storeId))) throw new CommandFailure(`No such store: ${storeId}.`);
          return Object.keys(changes).length === 0
            ? findStoreTerms(tx, storeId)
            : setStoreTerms(tx, storeId, changes, systemClock.now());
        }),
      );
      answer(options, { store_id: storeId, ...presentTerms(terms) }, termsText(terms));
    });
}

function termsText({ commissionPercent, perOrderCents, deliveryFee, tip, tax }: StatementTerms): string {
  const courier = 'the operator where an outside courier drives, else the store';
  return [
    `Commission: ${commissionPercent}% of the items, and ${formatPrice(perOrderCents)} per order.`,
    `Delivery fee: ${deliveryFee ?? courier}. Tip: ${tip}. Taxes: ${tax}.`,
  ].join('\n');
}

function parsePercent(text: string): number {
  const percent = /^[\d.]+$/.test(text) ? Number(text) : Number.NaN;
  if (!isCommission(percent)) {
    throw new InvalidArgumentError(`The commission must be a percentage from 0 to ${MAX_COMMISSION_PERCENT}.`);
  }
  return percent;
}

function parseCents(text: string): number {
  const cents = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(cents <= MAX_PER_ORDER_CENTS)) {
    throw new InvalidArgumentError(`The fee must be whole cents from 0 to ${MAX_PER_ORDER_CENTS}.`);
  }
  return cents;
}
