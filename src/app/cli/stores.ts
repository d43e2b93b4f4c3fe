import { Command, Option } from 'commander';
import type { Static } from 'typebox';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import { revokeAnySessionProcedure } from '../../surfaces/operator/access.route.ts';
import { createStoreKeyProcedure, inviteStoreProcedure } from '../../surfaces/operator/store-access.route.ts';
import {
  countOriginsProcedure,
  delistStoreProcedure,
  listFeedStoresProcedure,
  MAX_DRIVER_PAY_CENTS,
  readStoreSettingsProcedure,
  relistStoreProcedure,
  setStoreAgreementProcedure,
  setStoreSwitchesProcedure,
} from '../../surfaces/operator/store-settings.route.ts';
import { requireWords } from '../../surfaces/operator/store-words.flow.ts';
import { readAnyStoreProcedure } from '../../surfaces/operator/stores.route.ts';
import { loadSettings } from '../wiring/read-settings.ts';
import { bodyOf, parseOnOff, parseWholeTo, requireChange } from './arguments.ts';
import { type Manage, withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';
import { answerSessions } from './sessions.ts';
import { storeChannelsCommand } from './stores-channels.ts';
import { fileOption, setStores } from './stores-file.ts';
import { storeMergesCommand, unmergeStoreCommand } from './stores-merges.ts';
import { storeTermsCommand } from './stores-terms.ts';
import { followPages, type ListForm, writePages } from './write-pages.ts';

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
    .addCommand(storeAgreementCommand())
    .addCommand(delistStoreCommand())
    .addCommand(relistStoreCommand())
    .addCommand(storeMergesCommand())
    .addCommand(unmergeStoreCommand())
    .addCommand(storeOriginsCommand());
}

type ListOptions = OutputOptions & { source?: string; search?: string; unreached?: true };

function listCommand(): Command {
  return new Command('list')
    .description('List stores, sorted by feed and external ID.')
    .option('--source <name>', 'list only the stores of this feed')
    .option('--search <text>', 'list only the stores whose name has this text')
    .option('--unreached', 'list only the stores with a menu whose orders no channel would get')
    .option(
      '--json',
      'print one JSON document: { stores: [{ store_id, external_id, name, source, listed, merged_into, delist_reason? }] }',
    )
    .action((options: ListOptions) =>
      withManagement((manage, signal) => writePages(options, STORES, pagesOfStores(manage, options), signal)),
    );
}

type ListedStore = Static<(typeof listFeedStoresProcedure)['answer']>['stores'][number];

const PAGE_SIZE = 1000;

function pagesOfStores(manage: Manage, { source, search, unreached }: ListOptions): AsyncGenerator<ListedStore[]> {
  const filter = {
    ...(source !== undefined && { source }),
    ...(search !== undefined && { search }),
    ...(unreached && { unreached }),
    limit: PAGE_SIZE,
  };
  return followPages(
    (after: string | undefined) => manage(listFeedStoresProcedure, { query: { ...filter, ...(after && { after }) } }),
    ({ stores }) => stores,
  );
}

/** A store as `stores list` prints it: only a delisted one has a reason. */
function listedStore({ store_id, external_id, name, source, listed, merged_into, delist_reason }: ListedStore) {
  const store = { store_id, external_id, name, source, listed, merged_into };
  return delist_reason === null ? store : { ...store, delist_reason };
}

const STORES: ListForm<ListedStore> = {
  name: 'stores',
  document: listedStore,
  heads: ['STORE', 'FEED', 'ID IN FEED', 'NAME', 'NOTE'],
  cells({ store_id, external_id, name, source, listed, merged_into, delist_reason }) {
    const merged = merged_into === null ? '' : `merged into ${merged_into}`;
    const note = delist_reason === null ? merged : `delisted: ${delist_reason}`;
    return [store_id, source, external_id, name, listed ? note : 'out of search'];
  },
};

const STORE_ID = ['<store_id>', 'the ID shown by `stores list` and store search'] as const;
const SANDBOX = ['--sandbox <account_id>', "show and advance only this account's sandbox orders"] as const;

type SandboxOptions = OutputOptions & { sandbox?: string };
const ownerOf = ({ sandbox }: SandboxOptions) => (sandbox === undefined ? {} : { sandbox_account_id: sandbox });

/** `doorstep stores invite`: issues a code that opens the store's console once. */
function inviteStoreCommand(): Command {
  return new Command('invite')
    .description("Create an access code for a store's console. It works once, within 48 hours.")
    .argument(...STORE_ID)
    .option(...SANDBOX)
    .option('--json', 'print one JSON document: { code, expires_at }')
    .action(async (store_id: string, options: SandboxOptions) => {
      const { code, url, ...invited } = await withManagement((manage) =>
        manage(inviteStoreProcedure, { params: { store_id }, query: ownerOf(options) }),
      );
      const expires_at = secondsText(invited.expires_at);
      answer(options, { code, expires_at }, `${code}\nSign in at ${url} by ${expires_at}. The code works once.`);
    });
}

/** `doorstep stores key`: issues a key for a point of sale, or for an integrator's sandbox orders. */
function storeKeyCommand(): Command {
  return new Command('key')
    .description("Create a Store API key, for the store's live orders or for an account's sandbox orders there.")
    .argument(...STORE_ID)
    .option(...SANDBOX)
    .option('--json', 'print one JSON document: { key_id, key, mode }')
    .action(async (store_id: string, options: SandboxOptions) => {
      const created = await withManagement((manage) =>
        manage(createStoreKeyProcedure, { params: { store_id }, body: ownerOf(options) }),
      );
      const { key_id, key, mode } = created;
      answer(options, created, `${key}\nThe ${mode} store key ${key_id}. Save it now: it won't be shown again.`);
    });
}

/** `doorstep stores sessions`: lists the open consoles of a store, or ends one. */
function storeSessionsCommand(): Command {
  return new Command('sessions')
    .description("List a store's open console sessions, or end one.")
    .argument(...STORE_ID)
    .option('--revoke <session_id>', 'end this session')
    .option(
      '--json',
      'print one JSON document: { sessions: [{ session_id, device, created_at, seen_at, expires_at }] }',
    )
    .action(async (store_id: string, options: OutputOptions & { revoke?: string }) => {
      const { sessions } = await withManagement(async (manage) => {
        const { revoke: session_id } = options;
        if (session_id !== undefined) {
          await manage(revokeAnySessionProcedure, { params: { session_id }, body: { store_id } });
        }
        return manage(readAnyStoreProcedure, { params: { store_id } });
      });
      answerSessions(options, sessions);
    });
}

/** `doorstep stores courier`: sets a store's courier for orders that it confirms from then on. */
function storeCourierCommand(): Command {
  return new Command('courier')
    .description("Show or set the courier company that delivers a store's live orders.")
    .argument('[store_id]', STORE_ID[1])
    .addOption(fileOption('gateway'))
    .option('--gateway <name>', 'the courier company; none: the store uses its own drivers')
    .option('--json', 'print one JSON document: the store, and its courier')
    .action((given: string | undefined, options: CourierOptions) =>
      setStores(given, options, showCourier, async (manage, store_id, words) => {
        requireWords(words, ['gateway']);
        const body = { courier: String(words.gateway) };
        return { courier: (await manage(setStoreSwitchesProcedure, { params: { store_id }, body })).courier };
      }),
    );
}

type CourierOptions = OutputOptions & { gateway?: string; file?: string };

async function showCourier(store_id: string, { gateway: courier, ...options }: CourierOptions): Promise<void> {
  const params = { store_id };
  const store = await withManagement((manage) =>
    courier === undefined
      ? manage(readStoreSettingsProcedure, { params })
      : manage(setStoreSwitchesProcedure, { params, body: { courier } }),
  );
  const words = store.courier === 'none' ? 'uses its own drivers' : `uses ${store.courier}`;
  const isReady = store.courier === 'none' || (await hasCourier(store.courier));
  const hint = isReady ? '' : ' This process has no settings for it; see docs/couriers.md.';
  answer(options, { ...listedStore(store), courier: store.courier }, `${store.name} ${words}.${hint}`);
}

/** Whether a courier's plug-in has its settings in this process. */
async function hasCourier(courier: string): Promise<boolean> {
  const { plugins, pluginSettings } = await loadSettings(process.env);
  return plugins.all.some(
    ({ name, couriers = [] }) => pluginSettings.has(name) && couriers.some((each) => each.name === courier),
  );
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
      const { origins } = await withManagement((manage) => manage(countOriginsProcedure, {}));
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

/** `doorstep stores set`: changes a store. A running service sees the change within two seconds. */
function setStoreCommand(): Command {
  return new Command('set')
    .description(
      "Set a store's switches, language, tax class, tax numbers and driver pay. Pass at least one option; the rest stay as they are.",
    )
    .argument(...STORE_ID)
    .addOption(onOff('--online-ordering', 'whether the store takes orders'))
    .addOption(onOff('--accept-delivery', 'whether the store accepts delivery orders now'))
    .addOption(onOff('--accept-pickup', 'whether the store accepts pickup orders now'))
    .addOption(onOff('--markup', 'whether carts may be priced above its prices'))
    .addOption(
      new Option('--language <language>', 'the language of its console, kitchen tickets, emails and SMS').choices(
        LANGUAGES,
      ),
    )
    .addOption(
      new Option('--tax-class <class>', 'what it sells for taxes, where its menu says nothing else').choices(
        TAX_CLASSES,
      ),
    )
    .option(
      '--tax-id <number>',
      'a registration number for taxes, for receipts and statements, in place of all before; repeatable; none: no number',
      (number: string, others: string[] = []) => (number === 'none' ? [] : [...others, number]),
    )
    .addOption(
      new Option(
        '--driver-pay-cents <cents>',
        'what the store pays its own driver for a delivery, on the page of the driver; 0: not shown',
      ).argParser(parseWholeTo(0, MAX_DRIVER_PAY_CENTS, 'whole cents')),
    )
    .option('--json', 'print one JSON document: the store')
    .action((store_id: string, options: OutputOptions & { taxId?: string[] }, command: Command) => {
      const taxIds = options.taxId;
      const body = requireChange(bodyOf(setStoreSwitchesProcedure, { ...options, taxIds }), command);
      return answerStore(options, (manage) => manage(setStoreSwitchesProcedure, { params: { store_id }, body }));
    });
}

function showStoreCommand(): Command {
  return new Command('show')
    .description("Show a store's language, tax class, switches, and who delivers for it and where.")
    .argument(...STORE_ID)
    .option('--json', 'print one JSON document: the store')
    .action((store_id: string, options: OutputOptions) =>
      answerStore(options, (manage) => manage(readStoreSettingsProcedure, { params: { store_id } })),
    );
}

/** `doorstep stores agreement`: records that a store agreed to be sold. */
function storeAgreementCommand(): Command {
  return new Command('agreement')
    .description('Record that a store has agreed to be sold, in place of what its feed says.')
    .argument(...STORE_ID)
    .requiredOption('--signed-on <date>', 'the day, such as 2026-11-01')
    .requiredOption('--by <name>', 'who signed for the store')
    .option('--reference <text>', 'where the agreement is filed')
    .option('--json', 'print one JSON document: the store')
    .action((store_id: string, options: OutputOptions) => {
      const body = bodyOf(setStoreAgreementProcedure, options);
      return answerStore(options, (manage) => manage(setStoreAgreementProcedure, { params: { store_id }, body }));
    });
}

/** `doorstep stores delist`: takes a store out of search and sale. */
function delistStoreCommand(): Command {
  return new Command('delist')
    .description('Take a store out of search and sale at once, whichever feeds still have it. Its records stay.')
    .argument(...STORE_ID)
    .requiredOption('--reason <text>', 'why, for the history')
    .option('--json', 'print one JSON document: the store')
    .action((store_id: string, { reason, ...options }: OutputOptions & { reason: string }) =>
      answerStore(options, (manage) => manage(delistStoreProcedure, { params: { store_id }, body: { reason } })),
    );
}

/** `doorstep stores relist`: undoes `stores delist`. */
function relistStoreCommand(): Command {
  return new Command('relist')
    .description('Put a delisted store back into search and sale.')
    .argument(...STORE_ID)
    .option('--json', 'print one JSON document: the store')
    .action((store_id: string, options: OutputOptions) =>
      answerStore(options, (manage) => manage(relistStoreProcedure, { params: { store_id } })),
    );
}

type ShownStore = Static<(typeof readStoreSettingsProcedure)['answer']>;

async function answerStore(options: OutputOptions, run: (manage: Manage) => Promise<ShownStore>): Promise<void> {
  const store = await withManagement(run);
  const word = (on: boolean) => (on ? 'on' : 'off');
  const switches = `language ${store.language}, tax class ${store.tax_class}, tax numbers ${store.tax_ids.join(', ') || 'none'}, driver pay ${formatPrice(store.driver_pay_cents)}, online ordering ${word(store.online_ordering)}, delivery ${word(store.accept_delivery)}, pickup ${word(store.accept_pickup)}, mark-up ${word(store.markup)}`;
  const { agreement, delist_reason: reason } = store;
  const agreed = agreement === null ? '' : `\nagreement signed on ${agreement.signed_on} by ${agreement.by}`;
  const delisted = reason === null ? '' : `\nout of search and sale: ${reason}`;
  const parties = store.delivery_parties.map(
    ({ party, accepting, reach }) => `\nparty ${party} ${reach}${accepting ? '' : ', not accepting'}`,
  );
  const document = { ...store, agreement: agreement ?? undefined, delist_reason: reason ?? undefined };
  answer(options, document, `${store.name}: ${switches}.${parties.join('')}${agreed}${delisted}`);
}
