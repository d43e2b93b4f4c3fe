import { userInfo } from 'node:os';
import { createPublicHttp, type PublicHttp } from 'doorstep/public-http';
import type { Static, TObject, TSchema } from 'typebox';
import type { DnsLookup } from '../../access/accounts/dns-records.ts';
import { endpointOn, type Operation, type PartName, parseInput } from '../../access/operations/operation.ts';
import { runOperation } from '../../access/operations/operation-routes.route.ts';
import { COMMAND_LINE } from '../../access/sessions/actions.db.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import type { Gateways } from '../../ordering/payments/payment-gateway.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import { findQuietReason } from '../../platform/db/quiet.db.ts';
import { readTokenSecrets } from '../../platform/db/token-secret.db.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { createJobs, type Jobs } from '../../platform/jobs/jobs.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { createTokenSealer, type TokenSealer } from '../../platform/lib/tokens.ts';
import type { Street } from '../../surfaces/sandbox/street-route.ts';
import { createDnsResolver } from '../adapters/dns-resolver.ts';
import { mailFrame } from '../adapters/mail-frame.ts';
import { openGateways } from '../wiring/open-gateways.ts';
import { namesOf, polledPathsOf } from '../wiring/open-plugins.ts';
import { PERSONAL_DATA } from '../wiring/retentions.ts';
import { operatorAccess, requestOperation } from './account/operator-access.ts';
import { CommandFailure } from './failure.ts';
import { listenForInterruption } from './interruption.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

/** Requirements of operations for commands that run on the database. */
type Needs = Pick<CommandContext, 'db' | 'config' | 'log'> & {
  clock: typeof systemClock;
  publicHttp: PublicHttp;
  inventory: { evict(storeId: string): void };
  /** Only the demo has some. */
  streets: readonly Street[];
  findCourierStores: typeof findCourierStores;
  courierCompanies: readonly string[];
  printers: readonly string[];
  polledPrinters: ReadonlyMap<string, string>;
  lookUpDns: DnsLookup;
  jobs: Jobs;
  messaging: Pick<Messaging, 'frame' | 'textFrom'>;
  personalData: readonly PersonalData[];
  /** For orders, and for erasing their customers. */
  gateways?: Gateways;
  /** For readers of the service's signatures. */
  tokens?: TokenSealer;
};

/** Endpoints of operators that need card gateways, or the secrets of tokens: opening either may fail. */
const NEEDS_GATEWAYS = /\/orders\/:|\/forget_user$/;
const NEEDS_TOKENS = /\/branding\/verify$|\/adjust$|\/ucp$/;

type Input = { [Part in PartName]?: object };

/** Runs an operation as an operator, and returns its response. */
export type Manage = <Answer extends TSchema>(
  one: Pick<Operation<never, string, TObject, TObject, TObject, TObject, Answer>, keyof Operation>,
  input: Input,
) => Promise<Static<Answer>>;

/**
 * Runs the work of a management command: on the service of DOORSTEP_URL if DOORSTEP_KEY is an operator's key, otherwise
 * on the database, as the user of the operating system. A quiet database refuses to move money.
 */
export async function withManagement<T>(work: (manage: Manage, signal: AbortSignal) => Promise<T>): Promise<T> {
  const access = operatorAccess(process.env);
  if (access) {
    const { signal } = listenForInterruption();
    return work(
      (one, input) =>
        inWords(input, requestOperation(access, { ...endpointOn(one, 'operator'), answer: one.answer }, input)),
      signal,
    );
  }
  return withDatabase(async (context) => {
    await using opened = new AsyncDisposableStack();
    const needs = commandNeeds(context, opened);
    const by = commandLineUser();
    const session = { sessionId: by, operatorId: null, name: by, role: 'admin' } as const;
    return work(async (one, input) => {
      const served = endpointOn(one, 'operator');
      const { db, config } = context;
      const isPayment = served.body?.properties.preview !== undefined;
      const quietBecause = isPayment ? await findQuietReason(db, config) : undefined;
      if (quietBecause !== undefined) throw new CommandFailure(quietBecause);
      if (NEEDS_GATEWAYS.test(served.endpoint)) needs.gateways ??= await openGateways(needs, db);
      if (NEEDS_TOKENS.test(served.endpoint)) needs.tokens ??= createTokenSealer(await readTokenSecrets(db, config));
      const inTurn = <Part>(read: () => Promise<Part>) => read();
      const call = { by: { surface: 'operator', session }, inTurn, ...parseInput(served, input) } as const;
      return inWords(input, runOperation(needs as never, one, call));
    }, context.signal);
  });
}

/** Whom the history names for a change that a command made on the database. */
export function commandLineUser(): string {
  try {
    return `${COMMAND_LINE} (${userInfo().username})`;
  } catch {
    // A container may run as a user without a name.
    return `${COMMAND_LINE} (${process.getuid?.() ?? 'unknown'})`;
  }
}

/** An error of something unknown names its ID. */
async function inWords<T>(input: Input, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const [, kind] = (error instanceof Refusal && /^(?:(\w+)_)?not_found$/.exec(error.code)) || [undefined, null];
    const ids = Object.entries({ ...input.body, ...input.query, ...input.params }).filter(([name]) =>
      /_id$/.test(name),
    );
    const [name, id] = (kind === undefined ? ids[0] : ids.find(([key]) => key === `${kind}_id`)) ?? [];
    if (name === undefined) throw error;
    throw new CommandFailure(`No such ${name.replace(/^sandbox_|_id$/g, '')}: ${id}.`, { cause: error });
  }
}

function commandNeeds(context: CommandContext, opened: AsyncDisposableStack): Needs {
  const { db, config, log } = context;
  const publicHttp = createPublicHttp({ allowPrivate: config.webhookAllowPrivate });
  opened.defer(() => publicHttp.close());
  return {
    db,
    config,
    log,
    clock: systemClock,
    publicHttp,
    inventory: { evict: () => {} },
    streets: [],
    findCourierStores,
    courierCompanies: namesOf(config.plugins.all, ({ couriers }) => couriers),
    printers: namesOf(config.plugins.all, ({ printers }) => printers),
    polledPrinters: polledPathsOf(config.plugins.all),
    lookUpDns: createDnsResolver(),
    jobs: createJobs(systemClock),
    messaging: { frame: mailFrame, textFrom: config.textFrom },
    personalData: PERSONAL_DATA,
  };
}
