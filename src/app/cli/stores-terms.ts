import { Command, Option } from 'commander';
import type { Static } from 'typebox';
import {
  isCommission,
  MAX_COMMISSION_PERCENT,
  MAX_PER_ORDER_CENTS,
  type TermsSchema,
} from '../../ordering/statements/terms.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { readStoreTermsProcedure, setStoreTermsProcedure } from '../../surfaces/operator/statements.route.ts';
import { requireWords, TERM_WORDS } from '../../surfaces/operator/store-words.flow.ts';
import { bodyOf, parsed, parseWholeTo, REASON, requireReason } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';
import { fileOption, setStores } from './stores-file.ts';

type TermsDocument = Omit<Static<typeof TermsSchema>, 'since'>;

type TermsOptions = OutputOptions & { file?: string; reason?: string };

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
    .action((given: string | undefined, options: TermsOptions, command: Command) => {
      if (given === undefined && options.file !== undefined) requireReason(options, command);
      const show = async (store_id: string) => {
        const { reason: _, ...changes } = bodyOf(setStoreTermsProcedure, options);
        const isChanged = Object.keys(changes).length > 0;
        const reason = isChanged ? requireReason(options, command) : '';
        const { terms } = await withManagement((manage) =>
          isChanged
            ? manage(setStoreTermsProcedure, { params: { store_id }, body: { ...changes, reason } })
            : manage(readStoreTermsProcedure, { params: { store_id } }),
        );
        const [latest] = terms;
        if (!latest) throw new CommandFailure(`The service answered no terms of ${store_id}.`);
        const { since: __, ...now } = latest;
        answer(options, { store_id, ...now }, termsText(now));
      };
      return setStores(given, options, show, async (manage, store_id, words) => {
        requireWords(words, TERM_WORDS);
        const body = { ...words, reason: requireReason(options, command) };
        const { terms } = await manage(setStoreTermsProcedure, { params: { store_id }, body });
        const { since: _, ...now } = terms[0] ?? { since: null };
        return now;
      });
    });
}

function termsText({ commission, per_order_cents, delivery_fee, tip, tax }: TermsDocument): string {
  const courier = 'the operator where an outside courier drives, else the store';
  return [
    `Commission: ${commission}% of the items, and ${formatPrice(per_order_cents)} per order.`,
    `Delivery fee: ${delivery_fee === 'default' ? courier : delivery_fee}. Tip: ${tip}. Taxes: ${tax}.`,
  ].join('\n');
}
