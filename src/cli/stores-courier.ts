import { Command, Option } from 'commander';
import { findStoreCourier, setStoreCourier } from '../deliveries/couriers/store-couriers.db.ts';
import { systemClock } from '../lib/clock.ts';
import { findListedStore } from '../stores/stores.db.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { presentListedStore } from './present-listed-store.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

const GATEWAYS = ['none', 'uber_direct'] as const;
type Gateway = (typeof GATEWAYS)[number];

/** `doorstep stores courier`: it holds for orders that the store confirms from then on. */
export function storeCourierCommand(): Command {
  return new Command('courier')
    .description("Show or set the company of couriers that delivers a store's live orders.")
    .argument('<store_id>', 'the id that `stores list` and store search show')
    .addOption(new Option('--gateway <name>', 'the company; none: the store delivers itself').choices(GATEWAYS))
    .option('--json', 'answer with one JSON document: the store, and its courier')
    .action(async (storeId: string, options: OutputOptions & { gateway?: Gateway }) => {
      const { store, isConfigured } = await withDatabase((context) => courierOf(context, storeId, options.gateway));
      const { name, courier } = store;
      const words = courier === 'none' ? 'delivers itself' : `has couriers of ${courier}`;
      const isReady = courier === 'none' || isConfigured;
      const hint = isReady ? '' : ' This process has no settings of these couriers: see docs/couriers.md.';
      answer(options, store, `${name} ${words}.${hint}`);
    });
}

/** The store with its courier, which is set first where a gateway is given. */
async function courierOf({ db, config }: CommandContext, storeId: string, gateway: Gateway | undefined) {
  return db.transaction().execute(async (tx) => {
    const listed = await findListedStore(tx, storeId);
    if (!listed) throw new CommandFailure(`There is no store ${storeId}.`);
    const set = gateway === 'none' ? undefined : gateway;
    if (gateway !== undefined) await setStoreCourier(tx, storeId, set, systemClock.now());
    const courier = (await findStoreCourier(tx, storeId)) ?? 'none';
    return { store: { ...presentListedStore(listed), courier }, isConfigured: config.uberDirect !== undefined };
  });
}
