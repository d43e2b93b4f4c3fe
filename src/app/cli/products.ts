import { Command, Option } from 'commander';
import type { Static } from 'typebox';
import { listAnyProductsProcedure, setAnyProductProcedure } from '../../surfaces/operator/store-products.route.ts';
import { parseOnOff, parseQty } from './arguments.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';
import { followPages, type ListForm, writePages } from './write-pages.ts';

export function productsCommand(): Command {
  return new Command('products').addCommand(listCommand()).addCommand(setCommand());
}

const STORE_ID = ['<store_id>', 'the ID shown by `stores list` and store search'] as const;

type Product = Static<typeof setAnyProductProcedure.answer>;

const PRODUCTS: ListForm<Product> = {
  name: 'products',
  document: (product) => product,
  heads: ['ID IN FEED', 'NAME', 'ON SALE', 'IN STOCK'],
  cells: ({ external_id, name, available, qty_available }) => [
    external_id,
    name,
    available ? 'yes' : 'no',
    qty_available === null ? '' : String(qty_available),
  ],
};

function listCommand(): Command {
  return new Command('list')
    .description("List a store's products with their external IDs, availability and stock.")
    .argument(...STORE_ID)
    .option('--search <text>', 'list only the products with these words in their names')
    .option(
      '--json',
      'print one JSON document: { products: [{ store_id, external_id, name, available, qty_available }] }',
    )
    .action((store_id: string, options: OutputOptions & { search?: string }) =>
      withManagement((manage, signal) => {
        const filter = options.search === undefined ? {} : { query: options.search };
        const pages = followPages(
          (after: number | undefined) =>
            manage(listAnyProductsProcedure, { params: { store_id }, query: { ...filter, ...(after && { after }) } }),
          ({ products }) => products,
        );
        return writePages(options, PRODUCTS, pages, signal);
      }),
    );
}

type SetOptions = OutputOptions & { available?: boolean; qty?: number | 'none' };

function setCommand(): Command {
  return new Command('set')
    .description("Set a product's availability or stock.")
    .argument(...STORE_ID)
    .argument('<product_external_id>', "the product's external ID in its feed")
    .addOption(new Option('--available <on|off>', 'whether the product can be ordered').argParser(parseOnOff))
    .addOption(new Option('--qty <n|none>', 'units in stock; none: not counted').argParser(parseQty))
    .option('--json', 'print one JSON document: { store_id, external_id, name, available, qty_available }')
    .action(async (store_id: string, external_id: string, options: SetOptions, command: Command) => {
      const { available, qty } = options;
      if (available === undefined && qty === undefined) {
        command.error('pass at least one option: --available or --qty');
      }
      const body = {
        external_id,
        ...(available !== undefined && { available }),
        ...(qty !== undefined && { qty_available: qty === 'none' ? null : qty }),
      };
      const product = await withManagement((manage) => manage(setAnyProductProcedure, { params: { store_id }, body }));
      const { name, available: isOnSale, qty_available: left } = product;
      const stock = left === null ? '' : `, ${left} left`;
      answer(options, product, `${name}: ${isOnSale ? 'available' : 'sold out'}${stock}.`);
    });
}
