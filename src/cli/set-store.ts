import { Command, Option } from 'commander';
import type { Sql } from '../db/connect.ts';
import { systemClock } from '../lib/clock.ts';
import { presentParties } from '../stores/delivery-parties.ts';
import type { StoreSwitches } from '../stores/set-store.db.ts';
import { setStore } from '../stores/set-store.flow.ts';
import type { Store } from '../stores/store.ts';
import { findListedStore, findStore } from '../stores/stores.db.ts';
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
          return set && presentSwitches(tx, set);
        }),
      );
      answerStore(options, storeId, store);
    });
}

/** `doorstep stores show`. */
export function showStoreCommand(): Command {
  return new Command('show')
    .description('Show a store: its switches, and who delivers for it and where.')
    .argument('<store_id>', 'the id that `stores list` and store search show')
    .option('--json', 'answer with one JSON document: the store')
    .action(async (storeId: string, options: OutputOptions) => {
      const store = await withDatabase(async ({ db }) => {
        const found = await findStore(db, storeId);
        return found && presentSwitches(db, found);
      });
      answerStore(options, storeId, store);
    });
}

/** The document of `stores set` and `stores show`. */
async function presentSwitches(sql: Sql, store: Store) {
  const listed = await findListedStore(sql, store.storeId);
  return (
    listed && {
      ...presentListedStore(listed),
      type: store.type,
      online_ordering: store.onlineOrdering,
      delivery_enabled: store.delivery.enabled,
      accept_delivery: store.delivery.accepting,
      pickup_enabled: store.pickup.enabled,
      accept_pickup: store.pickup.accepting,
      delivery_parties: presentParties(store.delivery),
    }
  );
}

function answerStore(
  options: OutputOptions,
  storeId: string,
  store: Awaited<ReturnType<typeof presentSwitches>>,
): void {
  if (!store) throw new CommandFailure(`There is no store ${storeId}.`);
  const word = (on: boolean) => (on ? 'on' : 'off');
  const switches = `online ordering ${word(store.online_ordering)}, delivery ${word(store.accept_delivery)}, pickup ${word(store.accept_pickup)}`;
  const parties = store.delivery_parties.map(
    ({ party, accepting, reach }) => `\nparty ${party} ${reach}${accepting ? '' : ', not accepting'}`,
  );
  answer(options, store, `${store.name}: ${switches}.${parties.join('')}`);
}

function switchesOf({ onlineOrdering, acceptDelivery, acceptPickup }: StoreSwitches): StoreSwitches {
  return {
    ...(onlineOrdering === undefined ? {} : { onlineOrdering }),
    ...(acceptDelivery === undefined ? {} : { acceptDelivery }),
    ...(acceptPickup === undefined ? {} : { acceptPickup }),
  };
}
