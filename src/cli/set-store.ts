import { Command, Option } from 'commander';
import { systemClock } from '../lib/clock.ts';
import { findListedStore } from '../stores/list-stores.db.ts';
import type { StoreSwitches } from '../stores/set-store.db.ts';
import { setStore } from '../stores/set-store.flow.ts';
import { parseOnOff } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { presentListedStore } from './present-listed-store.ts';
import { withDatabase } from './with-database.ts';

const onOff = (flags: string, description: string) =>
  new Option(`${flags} <on|off>`, description).argParser(parseOnOff);

/** `doorstep stores set`: a running service follows the change within two seconds. */
export function setStoreCommand(): Command {
  return new Command('set')
    .description('Set switches of a store. Give at least one option; the other switches stay as they are.')
    .argument('<store_id>', 'the id that `stores list` and store search show')
    .addOption(onOff('--online-ordering', 'whether the store takes orders'))
    .addOption(onOff('--accept-delivery', 'whether the store accepts delivery orders now'))
    .addOption(onOff('--accept-pickup', 'whether the store accepts pickup orders now'))
    .option('--json', 'answer with one JSON document: the store')
    .action(async (storeId: string, options: OutputOptions & StoreSwitches, command: Command) => {
      const switches = switchesOf(options);
      if (Object.keys(switches).length === 0) {
        command.error('give at least one option to set: --online-ordering, --accept-delivery or --accept-pickup');
      }
      const store = await withDatabase(({ db }) =>
        db.transaction().execute(async (tx) => {
          const set = await setStore(tx, storeId, switches, systemClock.now());
          const listed = set && (await findListedStore(tx, storeId));
          if (!listed) throw new CommandFailure(`There is no store ${storeId}.`);
          return {
            ...presentListedStore(listed),
            type: set.type,
            online_ordering: set.onlineOrdering,
            delivery_enabled: set.delivery.enabled,
            accept_delivery: set.delivery.accepting,
            pickup_enabled: set.pickup.enabled,
            accept_pickup: set.pickup.accepting,
          };
        }),
      );
      const word = (on: boolean) => (on ? 'on' : 'off');
      const text = `${store.name}: online ordering ${word(store.online_ordering)}, delivery ${word(store.accept_delivery)}, pickup ${word(store.accept_pickup)}.`;
      answer(options, store, text);
    });
}

function switchesOf({ onlineOrdering, acceptDelivery, acceptPickup }: StoreSwitches): StoreSwitches {
  return {
    ...(onlineOrdering === undefined ? {} : { onlineOrdering }),
    ...(acceptDelivery === undefined ? {} : { acceptDelivery }),
    ...(acceptPickup === undefined ? {} : { acceptPickup }),
  };
}
