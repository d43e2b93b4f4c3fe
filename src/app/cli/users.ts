import { Command } from 'commander';
import { forgetAnyUserProcedure } from '../../surfaces/operator/forget-user.route.ts';
import { withGateways } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';

export function usersCommand(): Command {
  return new Command('users').addCommand(forgetCommand());
}

/** `doorstep users forget`: repeats the procedure until nothing is left of the user. */
function forgetCommand(): Command {
  return new Command('forget')
    .description(
      'Forget a user of an account: ended orders lose names, contacts, addresses, notes, photos and positions, unplaced orders, cards and favorites are deleted. Refused while an order of the user is under way. Amounts and statements stay. A backup made earlier still has everything.',
    )
    .argument('<account_id>', 'the ID shown by `accounts list`')
    .argument('<user_id>', "the account's own ID of the user")
    .option('--sandbox', 'forget the user of sandbox orders, instead of live ones')
    .option('--json', 'print one JSON document: { account_id, mode, orders, unplaced_orders, cards }')
    .action(async (account_id: string, user_id: string, options: OutputOptions & { sandbox?: true }) => {
      const mode = options.sandbox ? 'sandbox' : 'live';
      const sum = { orders: 0, unplaced_orders: 0, cards: 0 };
      await withGateways(async (manage) => {
        for (let isComplete = false; !isComplete; ) {
          const part = await manage(forgetAnyUserProcedure, { params: { account_id }, body: { user_id, mode } });
          sum.orders += part.orders;
          sum.unplaced_orders += part.unplaced_orders;
          sum.cards += part.cards;
          isComplete = part.is_complete;
        }
      });
      const { orders, unplaced_orders, cards } = sum;
      const text = `Forgot the user: ${orders} orders cleared, ${unplaced_orders} unplaced orders and ${cards} cards deleted.`;
      answer(options, { account_id, mode, ...sum }, text);
    });
}
