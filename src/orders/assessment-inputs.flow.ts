import { sandboxOf } from '../accounts/account.ts';
import { openSlot } from '../catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../catalog/product.ts';
import { randomId } from '../lib/random-id.ts';
import { instantOfEpochSeconds } from '../lib/time.ts';
import { quoteFor, slotQuestionOf } from '../quotes/quote.ts';
import { findFullSlots } from '../quotes/slots.db.ts';
import { isSlotOffered } from '../quotes/slots.ts';
import type { Store } from '../stores/store.ts';
import type { AssessmentInputs } from './assess-order.ts';
import type { QuotedSlot } from './order.ts';
import type { OrderDeps } from './order-deps.ts';

/** Collects the inputs of `assessOrder` for one store at one moment. */
export async function assessmentInputs(
  deps: Pick<OrderDeps, 'db' | 'tokens'>,
  order: Pick<AssessmentInputs, 'request' | 'caller' | 'allowsNegativeMarkup'>,
  store: Store,
  products: ReadonlyMap<string, CatalogProduct>,
  now: Temporal.Instant,
): Promise<AssessmentInputs> {
  const { request, caller } = order;
  const slot = await findSlot(deps, { request, caller }, store, now);
  const { mode, customer, quotePreference: preference } = request;
  const { latitude, longitude } = customer;
  const door = mode === 'delivery' && latitude !== null && longitude !== null ? { latitude, longitude } : null;
  const slots = slot === null ? [] : [slot === 'unavailable' ? ANY_SLOT : slot];
  const quote = quoteFor({ store, mode, keyMode: caller.mode, door, preference, now, slots });
  return { ...order, store, products, quote, slot, now, quoteId: randomId('quo_', 12) };
}

/** A window that is gone is a fault of its own; it must not read as a closed store besides. */
const ANY_SLOT = { startEpochS: 0, endEpochS: 0 };

async function findSlot(
  { db, tokens }: Pick<OrderDeps, 'db' | 'tokens'>,
  { request: { scheduledId, mode }, caller }: Pick<AssessmentInputs, 'request' | 'caller'>,
  store: Store,
  now: Temporal.Instant,
): Promise<QuotedSlot | null | 'unavailable'> {
  if (scheduledId === null) return null;
  const slot = openSlot(tokens, mode, scheduledId);
  if (slot?.storeId !== store.storeId) return 'unavailable';
  const { capacity } = store.scheduling;
  const from = instantOfEpochSeconds(slot.startEpochS);
  const count = { storeId: store.storeId, sandbox: sandboxOf(caller), pickup: mode === 'pickup' };
  const full = await findFullSlots(db, { ...count, capacity, from });
  if (!isSlotOffered(slot, slotQuestionOf(store, mode, now, full))) return 'unavailable';
  return { id: scheduledId, startEpochS: slot.startEpochS, endEpochS: slot.endEpochS };
}
