import { Command, Option } from 'commander';
import { systemClock } from '../../platform/lib/clock.ts';
import { type ProductSwitches, setProduct } from '../../supply/catalog/set-product.flow.ts';
import { findListedStore } from '../../supply/stores/stores.db.ts';
import { parseOnOff, parseQty } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

type SetOptions = OutputOptions & { available?: boolean; qty?: number | 'none' };

export function productsCommand(): Command {
  return new Command('products')
    .description('Manage products: whether a product is on sale, and its stock.')
    .addCommand(setCommand());
}

function setCommand(): Command {
  return new Command('set')
    .description('Take a product off or on sale, or set its stock.')
    .argument('<store_id>', 'the id that `stores list` and store search show')
    .argument('<product_external_id>', 'the id that the feed gives the product')
    .addOption(new Option('--available <on|off>', 'whether the product is on sale').argParser(parseOnOff))
    .addOption(new Option('--qty <n|none>', 'the stock; none: the stock is not counted').argParser(parseQty))
    .option('--json', 'answer with one JSON document: { store_id, external_id, name, available, qty_available }')
    .action(async (storeId: string, externalId: string, options: SetOptions, command: Command) => {
      if (options.available === undefined && options.qty === undefined) {
        command.error('give at least one option to set: --available or --qty');
      }
      const product = await withDatabase(({ db }) =>
        db.transaction().execute(async (tx) => {
          const set = await setProduct(tx, { storeId, externalId }, productSwitches(options), systemClock.now());
          if (set) return set;
          const store = await findListedStore(tx, storeId);
          throw new CommandFailure(
            store ? `Store ${storeId} has no product ${externalId}.` : `There is no store ${storeId}.`,
          );
        }),
      );
      const { name, available, qtyAvailable } = product;
      const stock = qtyAvailable === null ? '' : `, ${qtyAvailable} left`;
      const document = { store_id: storeId, external_id: externalId, name, available, qty_available: qtyAvailable };
      answer(options, document, `${name}: ${available ? 'on' : 'off'} sale${stock}.`);
    });
}

function productSwitches({ available, qty }: SetOptions): ProductSwitches {
  return {
    ...(available === undefined ? {} : { available }),
    ...(qty === undefined ? {} : { qtyAvailable: qty === 'none' ? null : qty }),
  };
}
