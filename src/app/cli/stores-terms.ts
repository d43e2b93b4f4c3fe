import { Command, Option } from 'commander';
import type { Static } from 'typebox';
import {
  isCommission,
  MAX_COMMISSION_PERCENT,
  MAX_PER_ORDER_CENTS,
  type StatementTerms,
  type TermsSchema,
} from '../../ordering/statements/terms.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { readStoreTermsProcedure, setStoreTermsProcedure } from '../../surfaces/operator/statements.route.ts';
import { requireWords, TERM_WORDS } from '../../surfaces/operator/store-words.flow.ts';
import { parsed, parseWholeTo, REASON, requireReason } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';
import { changeFromFile, fileOption, requireStore } from './stores-file.ts';

type TermsDocument = Omit<Static<typeof TermsSchema>, 'since'>;

type TermsOptions = OutputOptions & {
  reason?: string;
  commission?: number;
  perOrderCents?: number;
  deliveryFee?: 'store' | 'operator' | 'default';
  tip?: 'driver';
  tax?: StatementTerms['tax'];
};

const parsePercent = parsed((text) => {
  const percent = /^[\d.]+$/.test(text) ? Number(text) : Number.NaN;
  return isCommission(percent) ? percent : undefined;
}, `a percentage from 0 to ${MAX_COMMISSION_PERCENT}`);

/** `doorstep stores terms`: shows or sets what the operator keeps of a store's orders. */
export function storeTermsCommand(): Command {
  return new Command('terms')
    .description(
      'Show or set the terms of statements, for orders placed from then on. Options left out stay as they are.',
    )
    .argument('[store_id]', 'the ID shown by `stores list` and store search')
    .addOption(fileOption('commission, per_order_cents, delivery_fee, tax'))
    .option('--commission <percent>', "percent of the items' subtotal", parsePercent)
    .option('--per-order-cents <cents>', 'fee per order', parseWholeTo(0, MAX_PER_ORDER_CENTS, 'whole cents'))
    .addOption(
      new Option(
        '--delivery-fee <owner>',
        'who gets the delivery fee; default: the operator where an outside courier drives, else the store',
      ).choices(['store', 'operator', 'default']),
    )
    .addOption(new Option('--tip <owner>', 'always the driver').choices(['driver']))
    .addOption(new Option('--tax <owner>', 'who remits the taxes').choices(['operator', 'store']))
    .option(...REASON)
    .option('--json', 'print one JSON document: { store_id, commission, per_order_cents, delivery_fee, tip, tax }')
    .action(
      async (given: string | undefined, { file, ...options }: TermsOptions & { file?: string }, command: Command) => {
        if (given === undefined && file !== undefined) {
          return setTermsFromFile({ ...options, file }, requireReason(options, command));
        }
        const storeId = requireStore(given, { file });
        const { json: _, reason: __, perOrderCents, deliveryFee, ...others } = options;
        const body = {
          ...others,
          ...(perOrderCents !== undefined && { per_order_cents: perOrderCents }),
          ...(deliveryFee !== undefined && { delivery_fee: deliveryFee }),
        };
        const params = { store_id: storeId };
        const reason = Object.keys(body).length === 0 ? undefined : requireReason(options, command);
        const { terms } = await withManagement((manage) =>
          reason === undefined
            ? manage(readStoreTermsProcedure, { params })
            : manage(setStoreTermsProcedure, { params, body: { ...body, reason } }),
        );
        const [latest] = terms;
        if (!latest) throw new CommandFailure(`The service answered no terms of ${storeId}.`);
        const { since: ___, ...now } = latest;
        answer(options, { store_id: storeId, ...now }, termsText(now));
      },
    );
}

function setTermsFromFile(options: OutputOptions & { file: string }, reason: string): Promise<void> {
  return withManagement((manage) =>
    changeFromFile(options, async (store_id, words) => {
      requireWords(words, TERM_WORDS);
      const { terms } = await manage(setStoreTermsProcedure, { params: { store_id }, body: { ...words, reason } });
      const { since: _, ...now } = terms[0] ?? { since: null };
      return now;
    }),
  );
}

function termsText({ commission, per_order_cents, delivery_fee, tip, tax }: TermsDocument): string {
  const courier = 'the operator where an outside courier drives, else the store';
  return [
    `Commission: ${commission}% of the items, and ${formatPrice(per_order_cents)} per order.`,
    `Delivery fee: ${delivery_fee === 'default' ? courier : delivery_fee}. Tip: ${tip}. Taxes: ${tax}.`,
  ].join('\n');
}
