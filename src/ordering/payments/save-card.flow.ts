import type { Caller } from '../../access/accounts/account.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Language } from '../../platform/languages/language.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { ReadCard } from './card.ts';
import { type CardSetup, SETUP_MINUTES } from './card-setup.ts';
import { endCardSetup, findCardSetup, insertCardSetup, lockCardSetup, saveGatewaySession } from './card-setups.db.ts';
import { type Attempt, tooManyDeclines } from './decline.ts';
import { findDeclineBlock, insertDecline } from './declines.db.ts';
import {
  CASH_TOKEN,
  CardDeclined,
  type Gateways,
  methodsOf,
  type PaymentGateway,
  requireGateway,
  type SavedCard,
  tokenNotAccepted,
} from './payment-gateway.ts';
import { TOKEN_FORM } from './payment-method.ts';
import { findMethodOfToken, insertPaymentMethod } from './payment-methods.db.ts';

/** The account, its key mode, and the user who owns a card. */
export type CardOwner = Pick<Caller, 'accountId' | 'mode'> & { userId: string; userEmail: string };

/**
 * Stores a gateway card as a payment method and returns the method's id. A card is one payment method: the same user
 * gets the existing id, and another user is refused.
 */
export async function savePaymentMethod(
  sql: Sql,
  owner: CardOwner,
  { token: gatewayToken, ...card }: SavedCard,
  at: Temporal.Instant,
): Promise<string> {
  const { accountId, mode, userId, userEmail } = owner;
  const paymentMethodId = randomId('pm_');
  const method = { ...card, accountId, mode, gatewayToken, paymentMethodId, userId, userEmail, at };
  if (await insertPaymentMethod(sql, method)) return paymentMethodId;
  const known = await findMethodOfToken(sql, owner, gatewayToken);
  if (known?.userId !== userId) throw tokenNotAccepted();
  return known.paymentMethodId;
}

/**
 * Sends a user's card to the gateway and counts refused cards. Refuses with too_many_declines before the gateway sees
 * the card.
 */
export async function countDeclines<T>({ db, clock }: Context, attempt: Attempt, save: () => Promise<T>): Promise<T> {
  const now = clock.now();
  const declineBlock = await findDeclineBlock(db, attempt, now);
  if (declineBlock) throw tooManyDeclines(declineBlock, now);
  try {
    return await save();
  } catch (error) {
    if (error instanceof CardDeclined) await insertDecline(db, attempt, clock.now());
    throw error;
  }
}

type SetupDeps = Context & { gateways: Gateways };

/**
 * Opens a gateway page where a customer enters a card, and returns its URL. The setup is stored before the
 * gateway opens the page, so that no page lacks its setup. `keep` runs once it is open.
 */
export async function openCardSetup(
  { config, db, clock, gateways }: SetupDeps & { config: Pick<Config, 'baseUrl'> },
  { language, ...request }: RequestedSetup & { language?: Language },
  keep?: (tx: Sql, url: string) => Promise<unknown>,
): Promise<string> {
  const gateway = requireGateway(gateways, request.mode);
  if (!methodsOf(gateways, request.mode).includes('card')) {
    throw new Refusal('payment_gateway_not_configured', "This service's payment gateway doesn't accept cards.");
  }
  const setup = await insertSetup({ db, clock }, request);
  const { setupId, userEmail, expiresAt } = setup;
  const returnUrl = `${config.baseUrl}/payment/setup/${setupId}/return`;
  const page = await gateway.openCardPage({ setupId, userEmail, returnUrl, expiresAt, language });
  if (!keep) await saveGatewaySession(db, setupId, page.session);
  else
    await db.transaction().execute(async (tx) => {
      await saveGatewaySession(tx, setupId, page.session);
      await keep(tx, page.url);
    });
  return page.url;
}

type RequestedSetup = CardOwner & Pick<CardSetup, 'returnUrl' | 'orderId'>;

async function insertSetup(
  { db, clock }: Pick<SetupDeps, 'db' | 'clock'>,
  request: RequestedSetup,
): Promise<CardSetup> {
  const now = clock.now();
  const setup: CardSetup = {
    ...request,
    setupId: randomId('set_', 24),
    gatewaySession: null,
    state: 'open',
    paymentMethodId: null,
    expiresAt: now.add({ minutes: SETUP_MINUTES }),
  };
  await insertCardSetup(db, setup, now);
  return setup;
}

/** Makes cash the payment method that was entered last on the order's checkout. */
export async function chooseCash(deps: SetupDeps, request: RequestedSetup): Promise<void> {
  await chooseToken(deps, request, CASH_TOKEN);
}

/** Makes a wallet's card the payment method that was entered last on the order's checkout; returns its id. */
export async function chooseWallet(
  deps: SetupDeps,
  { keyId }: Pick<Caller, 'keyId'>,
  request: RequestedSetup,
  paymentToken: string,
): Promise<string> {
  if (!TOKEN_FORM.test(paymentToken)) throw tokenNotAccepted();
  const attempt = { ...request, card: undefined, keyId };
  const setup = await countDeclines(deps, attempt, () => chooseToken(deps, request, paymentToken));
  if (setup.paymentMethodId === null) throw tokenNotAccepted();
  return setup.paymentMethodId;
}

async function chooseToken(deps: SetupDeps, request: RequestedSetup, paymentToken: string): Promise<CardSetup> {
  const card = await requireGateway(deps.gateways, request.mode).acceptToken(paymentToken);
  return completeCardSetup(deps, await insertSetup(deps, request), card);
}

/**
 * Reads a card page's outcome from the gateway and stores the card. Webhook and returning customer may arrive together
 * or twice; the result is one payment method. `pageId` is the page's id, for setups whose process crashed before
 * storing it.
 */
export async function resolveCardSetup(
  deps: SetupDeps,
  setupId: string,
  pageId?: string,
): Promise<CardSetup | undefined> {
  const setup = await findCardSetup(deps.db, setupId);
  const session = setup?.gatewaySession ?? pageId;
  if (setup?.state !== 'open' || session === undefined) return setup;
  const page = await requireGateway(deps.gateways, setup.mode).readCardPage(session);
  if (page.state === 'open') return setup;
  if (page.state === 'over') return endSetup(deps, setup);
  return completeCardSetup(deps, setup, page.card);
}

/** Stores the card of a setup; does nothing if the setup has ended. */
export const completeCardSetup = (deps: Pick<SetupDeps, 'db' | 'clock'>, setup: CardSetup, card: SavedCard) =>
  endOnce(deps, setup, async (tx, locked) => ({
    state: 'completed',
    paymentMethodId: await savePaymentMethod(tx, locked, card, deps.clock.now()),
  }));

/** Ends a setup without a card, because the customer canceled or the page expired. */
export const endSetup = (deps: Pick<SetupDeps, 'db'>, setup: CardSetup) =>
  endOnce(deps, setup, async () => ({ state: 'canceled', paymentMethodId: null }));

/** Ends a setup once: the returning customer and the gateway's webhook may both try. */
async function endOnce(
  { db }: Pick<SetupDeps, 'db'>,
  setup: CardSetup,
  end: (tx: Sql, locked: CardSetup) => Promise<Pick<CardSetup, 'state' | 'paymentMethodId'>>,
): Promise<CardSetup> {
  return db.transaction().execute(async (tx) => {
    const locked = (await lockCardSetup(tx, setup.setupId)) ?? setup;
    if (locked.state !== 'open') return locked;
    const ended = await end(tx, locked);
    await endCardSetup(tx, setup.setupId, ended);
    return { ...locked, ...ended };
  });
}

/** A parsed request to create a payment method, by card number or by a token of the gateway's client library. */
export type PaymentRequest = { userId: string; userEmail: string } & (ReadCard | { paymentToken: string });

/**
 * Saves a card or a token of the gateway's client library for a user; returns the ID of the payment method. `keep` runs
 * in the same transaction.
 */
export async function createPaymentMethod(
  { db, clock, gateways }: Context & { gateways: Gateways },
  { accountId, mode, keyId }: Caller,
  request: PaymentRequest,
  keep?: (tx: Sql, paymentMethodId: string) => Promise<unknown>,
): Promise<string> {
  const { userId, userEmail } = request;
  const attempt = { accountId, mode, userId, card: undefined, keyId };
  const saved = await countDeclines({ db, clock }, attempt, () => saveCard(requireGateway(gateways, mode), request));
  const save = (sql: Sql) => savePaymentMethod(sql, { accountId, mode, userId, userEmail }, saved, clock.now());
  if (!keep) return save(db);
  return db.transaction().execute(async (tx) => {
    const id = await save(tx);
    await keep(tx, id);
    return id;
  });
}

async function saveCard(gateway: PaymentGateway, request: PaymentRequest): Promise<SavedCard> {
  if ('paymentToken' in request) return gateway.acceptToken(request.paymentToken);
  const { card, brand, last4 } = request;
  const { expirationMonth, expirationYear } = card;
  return { ...(await gateway.saveCard(card)), brand, last4, expirationMonth, expirationYear };
}
