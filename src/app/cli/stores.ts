import { Command, Option } from 'commander';
import { issueAccessCode } from '../../access/sessions/sign-in.flow.ts';
import { issueStoreKey } from '../../access/sessions/store-keys.db.ts';
import { findStoreCourier, setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { LANGUAGES, type Language } from '../../platform/languages/language.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { presentParties } from '../../supply/stores/delivery-parties.ts';
import { findStoreLanguage, type StoreSwitches, updateStoreLanguage } from '../../supply/stores/set-store.db.ts';
import { setStore } from '../../supply/stores/set-store.flow.ts';
import type { Store } from '../../supply/stores/store.ts';
import {
  countOrigins,
  findListedStore,
  findStore,
  type ListedStore,
  listStoresAfter,
} from '../../supply/stores/stores.db.ts';
import { COURIER_COMPANIES } from '../adapters/couriers/companies.ts';
import { parseOnOff, requireAccount } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { alignedTable, answer, jsonDocument, momentText, type OutputOptions } from './output.ts';
import { answerSessions, revokeAndList } from './sessions.ts';
import { storeChannelsCommand } from './stores-channels.ts';
import { storeMergesCommand, unmergeStoreCommand } from './stores-merges.ts';
import { storeTermsCommand } from './stores-terms.ts';
import { type CommandContext, withDatabase } from './with-database.ts';
import { type ListForm, readPages, writePages } from './write-pages.ts';

export function storesCommand(): Command {
  return new Command('stores')
    .addCommand(listCommand())
    .addCommand(showStoreCommand())
    .addCommand(setStoreCommand())
    .addCommand(storeChannelsCommand())
    .addCommand(inviteStoreCommand())
    .addCommand(storeKeyCommand())
    .addCommand(storeSessionsCommand())
    .addCommand(storeCourierCommand())
    .addCommand(storeTermsCommand())
    .addCommand(storeMergesCommand())
    .addCommand(unmergeStoreCommand())
    .addCommand(storeOriginsCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List stores, sorted by feed and external ID.')
    .option('--source <name>', 'list only the stores of this feed')
    .option(
      '--json',
      'print one JSON document: { stores: [{ store_id, external_id, name, source, listed, merged_into }] }',
    )
    .action(({ source, ...options }: OutputOptions & { source?: string }) =>
      withDatabase(({ db, signal }) => {
        const pages = readPages<ListedStore>((last, limit) => listStoresAfter(db, last, { source, limit }));
        return writePages(options, STORES, pages, signal);
      }),
    );
}

/** A store in the results of `stores list`, `show`, `set` and `courier`. */
const presentListedStore = ({ storeId, externalId, name, source, listed, mergedInto }: ListedStore) =>
  jsonDocument({ storeId, externalId, name, source, listed, mergedInto });

const STORES: ListForm<ListedStore> = {
  name: 'stores',
  document: presentListedStore,
  heads: ['STORE', 'FEED', 'ID IN FEED', 'NAME', 'NOTE'],
  cells({ storeId, externalId, name, source, listed, mergedInto }) {
    const merged = mergedInto === null ? '' : `merged into ${mergedInto}`;
    return [storeId, source, externalId, name, listed ? merged : 'out of search'];
  },
};

const STORE_ID = ['<store_id>', 'the ID shown by `stores list` and store search'] as const;

/** `doorstep stores invite`: issues a code that opens the store's console once. */
function inviteStoreCommand(): Command {
  return new Command('invite')
    .description("Create an access code for a store's console. It works once, within 48 hours.")
    .argument(...STORE_ID)
    .option('--sandbox <account_id>', "show and advance only this account's sandbox orders")
    .option('--json', 'print one JSON document: { code, expires_at }')
    .action(async (storeId: string, options: OutputOptions & { sandbox?: string }) => {
      const { code, expiresAt, url } = await withDatabase(async ({ db, config }) => {
        await requireStore(db, storeId);
        if (options.sandbox !== undefined) await requireAccount(db, options.sandbox);
        const invitation = await issueAccessCode(
          db,
          { storeId, accountId: options.sandbox ?? null },
          systemClock.now(),
        );
        return { ...invitation, url: `${config.baseUrl}/console${options.sandbox === undefined ? '' : '?sandbox'}` };
      });
      const text = `${code}\nSign in at ${url} by ${momentText(expiresAt)}. The code works once.`;
      answer(options, { code, expires_at: momentText(expiresAt) }, text);
    });
}

/** `doorstep stores key`: issues a key for a point of sale, or for an integrator's sandbox orders. */
function storeKeyCommand(): Command {
  return new Command('key')
    .description("Create a Store API key, for the store's live orders or for an account's sandbox orders there.")
    .argument(...STORE_ID)
    .option('--sandbox <account_id>', "show and advance only this account's sandbox orders")
    .option('--json', 'print one JSON document: { key_id, key, mode }')
    .action(async (storeId: string, options: OutputOptions & { sandbox?: string }) => {
      const { keyId, key, mode } = await withDatabase(async ({ db }) => {
        await requireStore(db, storeId);
        if (options.sandbox !== undefined) await requireAccount(db, options.sandbox);
        return issueStoreKey(db, { storeId, accountId: options.sandbox ?? null }, systemClock.now());
      });
      const text = `${key}\nThe ${mode} store key ${keyId}. Save it now: it won't be shown again.`;
      answer(options, { key_id: keyId, key, mode }, text);
    });
}

/** `doorstep stores sessions`: lists the open consoles of a store, or ends one. */
function storeSessionsCommand(): Command {
  return new Command('sessions')
    .description("List a store's open console sessions, or end one.")
    .argument(...STORE_ID)
    .option('--revoke <session_id>', 'end this session')
    .option('--json', 'print one JSON document: { sessions: [{ session_id, device, created_at, seen_at }] }')
    .action(async (storeId: string, options: OutputOptions & { revoke?: string }) => {
      const sessions = await withDatabase(async ({ db }) => {
        await requireStore(db, storeId);
        return revokeAndList(db, storeId, options.revoke);
      });
      answerSessions(options, sessions);
    });
}

async function requireStore(sql: Sql, storeId: string): Promise<void> {
  if (!(await findStore(sql, storeId))) throw new CommandFailure(`No such store: ${storeId}.`);
}

/** `doorstep stores courier`: sets a store's courier for orders that it confirms from then on. */
function storeCourierCommand(): Command {
  return new Command('courier')
    .description("Show or set the courier company that delivers a store's live orders.")
    .argument(...STORE_ID)
    .addOption(
      new Option('--gateway <name>', 'the courier company; none: the store uses its own drivers').choices([
        'none',
        ...COURIER_COMPANIES.map(({ name }) => name),
      ]),
    )
    .option('--json', 'print one JSON document: the store, and its courier')
    .action(async (storeId: string, options: OutputOptions & { gateway?: string }) => {
      const { store, isReady } = await withDatabase((context) => storeCourier(context, storeId, options.gateway));
      const { name, courier } = store;
      const words = courier === 'none' ? 'uses its own drivers' : `uses ${courier}`;
      const hint = isReady ? '' : ' This process has no settings for it; see docs/couriers.md.';
      answer(options, store, `${name} ${words}.${hint}`);
    });
}

/** The store with its courier, after setting it if a gateway is given. */
async function storeCourier({ db, config }: CommandContext, storeId: string, gateway: string | undefined) {
  return db.transaction().execute(async (tx) => {
    const listed = await findListedStore(tx, storeId);
    if (!listed) throw new CommandFailure(`No such store: ${storeId}.`);
    const set = gateway === 'none' ? undefined : gateway;
    if (gateway !== undefined) await setStoreCourier(tx, storeId, set, systemClock.now());
    const courier = (await findStoreCourier(tx, storeId)) ?? 'none';
    return {
      store: { ...presentListedStore(listed), courier },
      isReady: courier === 'none' || config.couriers.has(courier),
    };
  });
}

/** `doorstep stores origins`: lists the catalog's open datasets, for attribution. */
function storeOriginsCommand(): Command {
  return new Command('origins')
    .description('Count stores in search by the dataset and license of their data, for attribution.')
    .option('--json', 'print one JSON document: { origins: [{ dataset, license, stores }] }')
    .addHelpText(
      'after',
      '\nOnly stores of open directories have origins. A store with data of several datasets counts for each dataset.',
    )
    .action(async (options: OutputOptions) => {
      const origins = await withDatabase(({ db }) => countOrigins(db));
      const rows = origins.map(({ dataset, license, stores }) => [dataset, license ?? 'none stated', String(stores)]);
      const text =
        rows.length === 0
          ? 'No store comes from an open directory.'
          : alignedTable(['DATASET', 'LICENSE', 'STORES'], rows);
      answer(options, { origins }, text);
    });
}

const onOff = (flags: string, description: string) =>
  new Option(`${flags} <on|off>`, description).argParser(parseOnOff);

type SetOptions = OutputOptions & StoreSwitches & { language?: Language };

/** `doorstep stores set`: changes a store. A running service sees the change within two seconds. */
function setStoreCommand(): Command {
  return new Command('set')
    .description("Set a store's switches and language. Pass at least one option; the rest stay as they are.")
    .argument(...STORE_ID)
    .addOption(onOff('--online-ordering', 'whether the store takes orders'))
    .addOption(onOff('--accept-delivery', 'whether the store accepts delivery orders now'))
    .addOption(onOff('--accept-pickup', 'whether the store accepts pickup orders now'))
    .addOption(
      new Option('--language <language>', 'the language of its console, kitchen tickets, emails and SMS').choices(
        LANGUAGES,
      ),
    )
    .option('--json', 'print one JSON document: the store')
    .action(async (storeId: string, options: SetOptions, command: Command) => {
      const switches = storeSwitches(options);
      const { language } = options;
      if (Object.keys(switches).length === 0 && language === undefined) {
        command.error('pass at least one option: --online-ordering, --accept-delivery, --accept-pickup or --language');
      }
      const store = await withDatabase(({ db }) =>
        db.transaction().execute(async (tx) => {
          const set = await setStore(tx, storeId, switches, systemClock.now());
          if (language !== undefined) await updateStoreLanguage(tx, storeId, language);
          return set && presentSwitches(tx, set);
        }),
      );
      answerStore(options, storeId, store);
    });
}

function showStoreCommand(): Command {
  return new Command('show')
    .description("Show a store's language, switches, and who delivers for it and where.")
    .argument(...STORE_ID)
    .option('--json', 'print one JSON document: the store')
    .action(async (storeId: string, options: OutputOptions) => {
      const store = await withDatabase(async ({ db }) => {
        const found = await findStore(db, storeId);
        return found && presentSwitches(db, found);
      });
      answerStore(options, storeId, store);
    });
}

async function presentSwitches(sql: Sql, store: Store) {
  const listed = await findListedStore(sql, store.storeId);
  return (
    listed && {
      ...presentListedStore(listed),
      type: store.type,
      language: await findStoreLanguage(sql, store.storeId),
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
  if (!store) throw new CommandFailure(`No such store: ${storeId}.`);
  const word = (on: boolean) => (on ? 'on' : 'off');
  const switches = `language ${store.language}, online ordering ${word(store.online_ordering)}, delivery ${word(store.accept_delivery)}, pickup ${word(store.accept_pickup)}`;
  const parties = store.delivery_parties.map(
    ({ party, accepting, reach }) => `\nparty ${party} ${reach}${accepting ? '' : ', not accepting'}`,
  );
  answer(options, store, `${store.name}: ${switches}.${parties.join('')}`);
}

function storeSwitches({ onlineOrdering, acceptDelivery, acceptPickup }: StoreSwitches): StoreSwitches {
  return {
    ...(onlineOrdering === undefined ? {} : { onlineOrdering }),
    ...(acceptDelivery === undefined ? {} : { acceptDelivery }),
    ...(acceptPickup === undefined ? {} : { acceptPickup }),
  };
}
