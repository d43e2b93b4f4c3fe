import { Command } from 'commander';
import type { Static } from 'typebox';
import { formatPrice } from '../../platform/lib/money.ts';
import { listOwedTipsProcedure, markTipPaidProcedure } from '../../surfaces/operator/owed-tips.route.ts';
import { parseAmount, REASON, requireReason } from './arguments.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';
import { followPages, type ListForm, writePages } from './write-pages.ts';

/** `doorstep tips`: raised tips that are owed to drivers, and that one was paid. */
export function tipsCommand(): Command {
  return new Command('tips').addCommand(listCommand(), { isDefault: true }).addCommand(paidCommand());
}

type OwedTip = Static<typeof listOwedTipsProcedure.answer>['tips'][number];

const TIPS: ListForm<OwedTip> = {
  name: 'tips',
  document: (tip) => tip,
  heads: ['ORDER', 'NUMBER', 'STORE', 'DRIVER', 'COURIER', 'CURRENCY', 'AMOUNT'],
  cells: ({ order_id, order_number, store_name, driver_name, courier, currency, amount }) => [
    order_id,
    order_number,
    store_name,
    driver_name ?? '',
    courier ?? '',
    currency,
    formatPrice(amount),
  ],
};

function listCommand(): Command {
  return new Command('list')
    .description(
      'List raised tips that are owed to drivers: their courier company takes them no more. This is what `tips` does without a command.',
    )
    .option(
      '--json',
      'print one JSON document: { tips: [{ order_id, order_number, store_id, store_name, driver_name, courier, amount, currency }] }',
    )
    .action((options: OutputOptions) =>
      withManagement((manage, signal) => {
        const pages = followPages(
          (after: string | undefined) => manage(listOwedTipsProcedure, { query: { ...(after && { after }) } }),
          ({ tips }) => tips,
        );
        return writePages(options, TIPS, pages, signal);
      }),
    );
}

function paidCommand(): Command {
  return new Command('paid')
    .description('Say that the driver of an order was paid the raised tips that are owed. You have paid them yourself.')
    .argument('<order_id>', 'an order that `tips` lists')
    .requiredOption('--amount <cents>', 'what was paid: all that is owed', parseAmount)
    .option(...REASON)
    .option('--json', 'print one JSON document: the tip, as `tips` lists it')
    .action(
      async (order_id: string, options: OutputOptions & { amount: number; reason?: string }, command: Command) => {
        const { amount } = options;
        const reason = requireReason(options, command);
        const paid = await withManagement((manage) =>
          manage(markTipPaidProcedure, { params: { order_id }, body: { amount, reason } }),
        );
        answer(options, paid, `${order_id}  ${formatPrice(paid.amount)} paid to ${paid.driver_name ?? 'the driver'}`);
      },
    );
}
