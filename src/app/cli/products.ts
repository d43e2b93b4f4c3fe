import { Command, Option } from 'commander';
import { systemClock } from '../../platform/lib/clock.ts';
import type { ProductSwitches } from '../../supply/catalog/set-product.flow.ts';
import { findStoreProduct } from '../../supply/catalog/store-products.db.ts';
import { switchItem } from '../../supply/menus/edit-menu.flow.ts';
import { findListedStore } from '../../supply/stores/stores.db.ts';
import { parseOnOff, parseQty } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

type SetOptions = OutputOptions & { available?: boolean; qty?: number | 'none' };

export function productsCommand(): Command {
  return new Command('products').addCommand(setCommand());
}

function setCommand(): Command {
  return new Command('set')
    .description("Set a product's availability or stock.")
    .argument('<store_id>', 'the ID shown by `stores list` and store search')
    .argument('<product_external_id>', "the product's external ID in its feed")
    .addOption(new Option('--available <on|off>', 'whether the product can be ordered').argParser(parseOnOff))
    .addOption(new Option('--qty <n|none>', 'units in stock; none: not counted').argParser(parseQty))
    .option('--json', 'print one JSON document: { store_id, external_id, name, available, qty_available }')
    .action(async (storeId: string, externalId: string, options: SetOptions, command: Command) => {
      if (options.available === undefined && options.qty === undefined) {
        command.error('pass at least one option: --available or --qty');
      }
      const product = await withDatabase(({ db }) =>
        db.transaction().execute(async (tx) => {
          const find = () => findStoreProduct(tx, storeId, externalId);
          if (await find()) {
            const context = { storeId, actor: { source: 'operator', id: null }, at: systemClock.now() } as const;
            await switchItem(tx, context, { itemId: externalId, set: productSwitches(options) });
          }
          const product = await find();
          if (product) return product;
          const store = await findListedStore(tx, storeId);
          throw new CommandFailure(
            store ? `Store ${storeId} has no product ${externalId}.` : `No such store: ${storeId}.`,
          );
        }),
      );
      const { name, available, qtyAvailable } = product;
      const stock = qtyAvailable === null ? '' : `, ${qtyAvailable} left`;
      const document = { store_id: storeId, external_id: externalId, name, available, qty_available: qtyAvailable };
      answer(options, document, `${name}: ${available ? 'available' : 'sold out'}${stock}.`);
    });
}

function productSwitches({ available, qty }: SetOptions): ProductSwitches {
  return {
    ...(available === undefined ? {} : { available }),
    ...(qty === undefined ? {} : { qtyAvailable: qty === 'none' ? null : qty }),
  };
}
