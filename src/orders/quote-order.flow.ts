import type { Caller } from '../accounts/account.ts';
import { openProduct, openSlot } from '../catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../catalog/product.ts';
import { findProducts } from '../catalog/products.db.ts';
import type { Deps } from '../deps.ts';
import { randomId } from '../lib/random-id.ts';
import { instantOfEpochSeconds } from '../lib/time.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { quoteFor, slotQuestionOf } from '../quotes/quote.ts';
import { findFullSlots } from '../quotes/slots.db.ts';
import { isSlotOffered } from '../quotes/slots.ts';
import type { Store } from '../stores/store.ts';
import { assessOrder, type OrderFacts } from './assess-order.ts';
import type { FrozenQuote, HeldStock, OrderRequest, QuotedSlot } from './order.ts';
import { type OrderFault, refusalOfFaults, unknownProduct } from './order-faults.ts';
import { substituteOrder } from './substitute-order.flow.ts';

/** An order that may be placed as it stands: the request (with substitutes, where there were any), its quote, its card. */
export type QuotedOrder = {
  request: OrderRequest;
  store: Store;
  quote: FrozenQuote;
  stock: readonly HeldStock[];
  paymentMethod: PaymentMethod | undefined;
};

/** Judges and prices an order as the stores stand now. Refuses with every fault of it at once (decisions, section 9). */
export async function quoteOrder(deps: Deps, caller: Caller, request: OrderRequest): Promise<QuotedOrder> {
  const now = deps.clock.now();
  const goods = await loadGoods(deps, caller, request);
  const { paymentMethod } = goods;
  const faults = [...goods.faults, ...cardFaults(request, paymentMethod)];
  if (!goods.store) {
    const unknown = request.items.map(({ productId }, index) => unknownProduct(productId, index));
    throw refusalOfFaults([...faults, ...unknown]);
  }
  const facts = await factsAt(deps, request, goods.store, goods.products, now);
  const assessment = assessOrder(facts);
  if ('quote' in assessment && faults.length === 0)
    return { request, store: goods.store, ...assessment, paymentMethod };
  const all = [...faults, ...('faults' in assessment ? assessment.faults : [])];
  const substitute = request.enableSubstitution ? await substituteOrder(deps, facts, all) : undefined;
  if (!substitute) throw refusalOfFaults(all);
  return { ...substitute, paymentMethod };
}

type Goods = {
  store: Store | undefined;
  products: Map<string, CatalogProduct>;
  paymentMethod: PaymentMethod | undefined;
  faults: OrderFault[];
};

async function loadGoods(
  { db, tokens, inventory, placing }: Deps,
  caller: Caller,
  request: OrderRequest,
): Promise<Goods> {
  const refs = new Map(request.items.map(({ productId }) => [productId, openProduct(tokens, productId)]));
  const [storeId = '', ...otherIds] = new Set([...refs.values()].flatMap((ref) => (ref ? [ref.storeId] : [])));
  const { paymentMethodId } = request;
  const [facts, own, ...catalogs] = await Promise.all([
    inventory.facts(storeId),
    placing.findFacts({ caller, storeId, productNos: numbersIn(refs, storeId), paymentMethodId }),
    ...otherIds.map((otherId) => findProducts(db, otherId, numbersIn(refs, otherId))),
  ]);
  const byRef = new Map(
    [own.products, ...catalogs].flat().map((product) => [`${product.storeId}/${product.productNo}`, product]),
  );
  const products = new Map<string, CatalogProduct>();
  for (const [token, ref] of refs) {
    const product = ref && byRef.get(`${ref.storeId}/${ref.productNo}`);
    if (product) products.set(token, product);
  }
  const mixed: OrderFault = {
    code: 'mixed_stores',
    name: 'items',
    message: 'All items of an order must be of one store.',
  };
  const { paymentMethod } = own;
  return { store: facts?.store, products, paymentMethod, faults: otherIds.length > 0 ? [mixed] : [] };
}

function numbersIn(
  refs: ReadonlyMap<string, { storeId: string; productNo: number } | undefined>,
  storeId: string,
): number[] {
  return [...new Set([...refs.values()].flatMap((ref) => (ref?.storeId === storeId ? [ref.productNo] : [])))];
}

function cardFaults({ paymentMethodId, customer }: OrderRequest, method: PaymentMethod | undefined): OrderFault[] {
  if (paymentMethodId === null || method?.userId === customer.userId) return [];
  const name = 'payment_method_id';
  return [
    method
      ? { code: 'payment_method_mismatch', name, message: 'The payment method belongs to another user_id.' }
      : { code: 'payment_method_not_found', name, message: 'There is no such payment method.' },
  ];
}

/** What `assessOrder` needs to know of one store at one moment. */
export async function factsAt(
  deps: Pick<Deps, 'db' | 'tokens'>,
  request: OrderRequest,
  store: Store,
  products: ReadonlyMap<string, CatalogProduct>,
  now: Temporal.Instant,
): Promise<OrderFacts> {
  const slot = await findSlot(deps, request, store, now);
  const { mode, customer } = request;
  const { latitude, longitude } = customer;
  const door = mode === 'delivery' && latitude !== null && longitude !== null ? { latitude, longitude } : null;
  const slots = slot === null ? [] : [slot === 'unavailable' ? ANY_SLOT : slot];
  const quote = quoteFor({ store, mode, door, now, slots });
  return { request, store, products, quote, slot, now, quoteId: randomId('quo_', 12) };
}

/** A window that is gone is a fault of its own; it must not read as a closed store besides. */
const ANY_SLOT = { startEpochS: 0, endEpochS: 0 };

async function findSlot(
  { db, tokens }: Pick<Deps, 'db' | 'tokens'>,
  { scheduledId, mode }: OrderRequest,
  store: Store,
  now: Temporal.Instant,
): Promise<QuotedSlot | null | 'unavailable'> {
  if (scheduledId === null) return null;
  const slot = openSlot(tokens, mode, scheduledId);
  if (slot?.storeId !== store.storeId) return 'unavailable';
  const { capacity } = store.scheduling;
  const from = instantOfEpochSeconds(slot.startEpochS);
  const full = await findFullSlots(db, { storeId: store.storeId, pickup: mode === 'pickup', capacity, from });
  if (!isSlotOffered(slot, slotQuestionOf(store, mode, now, full))) return 'unavailable';
  return { id: scheduledId, startEpochS: slot.startEpochS, endEpochS: slot.endEpochS };
}
