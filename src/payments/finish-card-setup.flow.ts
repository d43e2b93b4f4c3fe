import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import type { CardSetup } from './card-setup.ts';
import { endCardSetup, findCardSetup, lockCardSetup } from './card-setups.db.ts';
import { type Gateways, gatewayOf, type SavedCard } from './payment-gateway.ts';
import { savePaymentMethod } from './save-payment-method.flow.ts';

type SetupDeps = { db: Db; clock: Clock; gateways: Gateways };

/**
 * Asks the gateway what became of its card page, and stores the card once it was entered. The webhook and the returning
 * customer may both come here, at once and again: a setup makes one payment method. `told`: the gateway's id of the page
 * by its webhook, for a setup whose process died before it noted the id.
 */
export async function resolveCardSetup(
  deps: SetupDeps,
  setupId: string,
  told?: string,
): Promise<CardSetup | undefined> {
  const setup = await findCardSetup(deps.db, setupId);
  const session = setup?.gatewaySession ?? told;
  if (setup?.state !== 'open' || session === undefined) return setup;
  const page = await gatewayOf(deps.gateways, setup.mode).readCardPage(session);
  if (page.state === 'open') return setup;
  if (page.state === 'over') return endSetup(deps, setup);
  return completeCardSetup(deps, setup, page.card);
}

/** Stores the card of a setup; of a setup that has ended nothing changes. */
export async function completeCardSetup(
  { db, clock }: Pick<SetupDeps, 'db' | 'clock'>,
  setup: CardSetup,
  card: SavedCard,
): Promise<CardSetup> {
  return db.transaction().execute(async (tx) => {
    const locked = (await lockCardSetup(tx, setup.setupId)) ?? setup;
    if (locked.state !== 'open') return locked;
    const paymentMethodId = await savePaymentMethod(tx, locked, card, clock.now());
    const ended = { state: 'completed', paymentMethodId } as const;
    await endCardSetup(tx, setup.setupId, ended);
    return { ...locked, ...ended };
  });
}

/** Ends a setup without a card: the customer gave it up, or its page is over. */
export async function endSetup({ db }: Pick<SetupDeps, 'db'>, setup: CardSetup): Promise<CardSetup> {
  return db.transaction().execute(async (tx) => {
    const locked = (await lockCardSetup(tx, setup.setupId)) ?? setup;
    if (locked.state !== 'open') return locked;
    const ended = { state: 'canceled', paymentMethodId: null } as const;
    await endCardSetup(tx, setup.setupId, ended);
    return { ...locked, ...ended };
  });
}
