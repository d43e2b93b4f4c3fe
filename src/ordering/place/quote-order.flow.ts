import { type Caller, sandboxOf } from '../../access/accounts/account.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { openProduct, openSlot, sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { type ComparedProduct, findCatalogProducts, findSimilarProducts } from '../../supply/catalog/products.db.ts';
import type { PricedPromotions } from '../../supply/pricing/price-order.ts';
import { quoteFor, slotQuestionOf } from '../../supply/pricing/quote.ts';
import { findFullSlots } from '../../supply/pricing/slots.db.ts';
import { isSlotOffered } from '../../supply/pricing/slots.ts';
import type { LoadedPromotions } from '../../supply/promotions/promotion-facts.db.ts';
import { usesOf } from '../../supply/promotions/promotion-use.ts';
import { promotionUserOf } from '../../supply/promotions/promotion-user.ts';
import { findRoom, type KitchenLoad, type Room, waitOf } from '../../supply/stores/kitchen.ts';
import type { Store } from '../../supply/stores/store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import {
  type FrozenQuote,
  type HeldStock,
  type OrderRequest,
  type QuotedSlot,
  type RequestedItem,
  requestedSubstitutes,
} from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import {
  leftAtDoorFaults,
  namedSubstituteFaults,
  type OrderFault,
  refusalOfFaults,
  unknownProduct,
} from '../order/order-faults.ts';
import { cookingOf } from '../order/order-holds.flow.ts';
import type { OrderInputs } from '../order/order-statements.db.ts';
import { waiveBelow } from '../order/waived.ts';
import { isWeighedOrder } from '../order/weighed-order.ts';
import type { DeclineBlock } from '../payments/decline.ts';
import { methodsOf, minimumOf } from '../payments/payment-gateway.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { type AssessmentInputs, assessOrder, discountItems } from './assess-order.ts';
import { type TaxOrderDeps, taxOrder } from './tax-order.flow.ts';
import { readItems, weighItems } from './weigh-items.ts';

/*
 * Quotes an order: loads its references, assesses and prices it (assess-order.ts, pure), and refuses with every
 * error at once. An order whose only error is unavailable products may move to another store of the same name. Last, an
 * outside service may compute its taxes (tax-order.flow.ts).
 */

/** An order that can be placed as it is: its request (including substitutes), its quote and its card. */
export type QuotedOrder = {
  request: OrderRequest;
  store: Store;
  quote: FrozenQuote;
  stock: readonly HeldStock[];
  room: Room | undefined;
  paymentMethod: PaymentMethod | undefined;
  /** Set while declined cards block charges: the order can be quoted, but no card is charged for it. */
  declineBlock: DeclineBlock | undefined;
  /** Whether it uses a promotion with limits. */
  hasLimitedUses: boolean;
  keyId: string;
};

/**
 * Assesses and prices an order by the stores' current state. Refuses with every error at once
 * (docs/orders.md#order-errors). `earlier` is the order's quote until now.
 */
export async function quoteOrder(
  deps: TaxOrderDeps & Pick<OrderDeps, 'db' | 'tokens' | 'inventory' | 'search' | 'orderStatements' | 'gateways'>,
  caller: Caller,
  given: OrderRequest,
  earlier?: FrozenQuote,
): Promise<QuotedOrder> {
  const now = deps.clock.now();
  const { request, ...loaded } = await loadInputs(deps, caller, given, now);
  const { store, products, allowsNegativeMarkup, paymentMethod, declineBlock } = loaded;
  const paying = { paymentMethod, declineBlock, keyId: caller.keyId };
  const faults = [...loaded.faults, ...cardFaults(request, paymentMethod)];
  if (!store) {
    const unknown = request.items.map(({ productId }, index) => unknownProduct(productId, index));
    throw refusalOfFaults([...faults, ...unknown]);
  }
  const order = { request, caller, allowsNegativeMarkup };
  const inputs = await assessmentInputs(deps, order, { ...loaded, store }, products, now);
  const assessment = assessOrder(inputs);
  const isCash = paymentMethod?.brand === 'cash' || (request.placedBy === 'store' && !request.chargeUser);
  const taxed = async ({ promotions, ...order }: Substitute) => {
    const left = leftAtDoorFaults(request, order.quote.items, isCash && order.quote.totalWithTipCents > 0);
    if (left.length > 0) throw refusalOfFaults(left);
    const hasLimitedUses = usesOf(order.quote).some(({ promotionId }) => promotions.limitedIds.has(promotionId));
    const quote = await taxOrder(deps, caller, order, earlier);
    const isByCard = request.chargeUser && !isCash;
    const isTakenNow = isByCard && isWeighedOrder(quote) && isTakenAtPlacing(deps, caller);
    const taken = isTakenNow ? { ...quote, isTakenNow } : quote;
    const minimumCents = isByCard ? minimumOf(deps.gateways, caller.mode) : 0;
    return { ...order, hasLimitedUses, quote: waiveBelow(taken, minimumCents) };
  };
  if ('quote' in assessment && faults.length === 0)
    return { ...(await taxed({ request, store, promotions: loaded.promotions, ...assessment })), ...paying };
  const all = [...faults, ...('faults' in assessment ? assessment.faults : [])];
  const substitute = request.enableSubstitution ? await substituteOrder(deps, caller, inputs, all) : undefined;
  if (!substitute) throw refusalOfFaults(all);
  return { ...(await taxed(substitute)), ...paying };
}

/**
 * Finds a cart's discounts, and its codes that do not apply: at any hour, below the store's minimum, and for any
 * address.
 */
export async function findDiscounts(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'tokens' | 'inventory' | 'orderStatements'>,
  caller: Caller,
  given: OrderRequest,
): Promise<PricedPromotions> {
  const now = deps.clock.now();
  const { store, request, ...loaded } = await loadInputs(deps, caller, given, now);
  if (!store) return {};
  const { mode, quotePreference: preference } = request;
  const quote = quoteFor({ store, mode, keyMode: caller.mode, door: null, preference, now, slots: [ANY_SLOT] });
  return discountItems({ ...loaded, request, caller, store, quote, slot: null, room: undefined, now, quoteId: '' });
}

/** Whether the gateway takes cards and cannot hold their money. */
function isTakenAtPlacing({ gateways }: Pick<OrderDeps, 'gateways'>, { mode }: Caller): boolean {
  const gateway = gateways[mode];
  return gateway !== undefined && !gateway.authorize && methodsOf(gateways, mode).includes('card');
}

type LoadedInputs = Omit<OrderInputs, 'products'> & {
  /** With its items as the products are sold. */
  request: OrderRequest;
  store: Store | undefined;
  products: Map<string, CatalogProduct>;
  faults: OrderFault[];
};

type ProductRef = { storeId: string; productNo: number };

/** An order's products by token, its store, its card, and its decline block, if any. */
async function loadInputs(
  { db, tokens, inventory, orderStatements }: Pick<OrderDeps, 'db' | 'tokens' | 'inventory' | 'orderStatements'>,
  caller: Caller,
  request: OrderRequest,
  now: Temporal.Instant,
): Promise<LoadedInputs> {
  const tokenProduct = (token: string) => [token, openProduct(tokens, token)] as const;
  const ordered = new Map(request.items.map(({ productId }) => tokenProduct(productId)));
  const refs = new Map([
    ...ordered,
    ...request.items.flatMap(({ substitution }) => requestedSubstitutes(substitution)).map(tokenProduct),
  ]);
  // All items must be from one store. Products of other stores are read too, so that the error names every error.
  const [storeId = '', ...otherIds] = new Set([...ordered.values()].flatMap((ref) => (ref ? [ref.storeId] : [])));
  const sandbox = sandboxOf(caller);
  const { paymentMethodId, chargeUser, customer } = request;
  const payingUserId = chargeUser && paymentMethodId !== null ? customer.userId : null;
  const ids = { storeId, productNos: productNumbers(refs.values(), storeId), paymentMethodId, payingUserId };
  const [snapshot, own, ...catalogs] = await Promise.all([
    inventory.snapshot(storeId, sandbox),
    orderStatements.findInputs({ caller, ...ids, ...promotionInputs(tokens, caller, request), now }),
    ...otherIds.map((otherId) => findCatalogProducts(db, otherId, productNumbers(refs.values(), otherId), sandbox)),
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
    message: 'All items of an order must be from one store.',
  };
  const substitutes = namedSubstituteFaults(request.items, refs, products, storeId);
  const faults = otherIds.length > 0 ? [mixed, ...substitutes] : substitutes;
  const items = weighItems(request.items, products);
  return { ...own, request: { ...request, items }, store: snapshot?.store, products, faults };
}

function promotionInputs(
  tokens: OrderDeps['tokens'],
  { accountId }: Caller,
  { customer, promotionCodes }: OrderRequest,
) {
  const promotionUser = promotionUserOf(tokens, accountId, customer);
  return { promotionUser, promotionCodes: promotionCodes ?? [] };
}

function productNumbers(refs: Iterable<ProductRef | undefined>, storeId: string): number[] {
  return [...new Set([...refs].flatMap((ref) => (ref?.storeId === storeId ? [ref.productNo] : [])))];
}

function cardFaults(
  { paymentMethodId, customer, payerId = customer.userId }: OrderRequest,
  method: PaymentMethod | undefined,
): OrderFault[] {
  if (paymentMethodId === null || method?.userId === payerId) return [];
  const name = 'payment_method_id';
  return [
    method
      ? { code: 'payment_method_mismatch', name, message: 'The payment method belongs to another user_id.' }
      : { code: 'payment_method_not_found', name, message: 'There is no such payment method.' },
  ];
}

/** Collects the inputs of `assessOrder` for one store from one snapshot. */
async function assessmentInputs(
  deps: Pick<OrderDeps, 'db' | 'tokens'>,
  order: Pick<AssessmentInputs, 'request' | 'caller' | 'allowsNegativeMarkup'>,
  { store, load, promotions }: { store: Store; load: KitchenLoad; promotions: LoadedPromotions },
  products: ReadonlyMap<string, CatalogProduct>,
  now: Temporal.Instant,
): Promise<AssessmentInputs> {
  const { request, caller } = order;
  const { kitchen } = store;
  const offered = await findSlot(deps, { request, caller }, store, now);
  const nowS = now.epochMilliseconds / 1000;
  const parts =
    kitchen && offered !== 'unavailable' ? findRoom(kitchen, load, cookingOf(request, offered), nowS) : undefined;
  const slot = kitchen && offered !== null && parts === undefined ? 'unavailable' : offered;
  const { mode, customer, quotePreference: preference } = request;
  const { latitude, longitude } = customer;
  const door = mode === 'delivery' && latitude !== null && longitude !== null ? { latitude, longitude } : null;
  const slots = slot === null ? [] : [slot === 'unavailable' ? ANY_SLOT : slot];
  const servedAt = slot !== null && slot !== 'unavailable' ? instantOfEpochSeconds(slot.startEpochS) : now;
  const wait = kitchen && slot === null ? waitOf(kitchen, parts, nowS) : null;
  const quote = quoteFor({ store, mode, keyMode: caller.mode, door, preference, now, servedAt, wait, slots });
  const room = parts && { load, parts };
  return { ...order, store, products, quote, slot, room, promotions, now, quoteId: randomId('quo_', 12) };
}

/** A slot that is gone is an error of its own and must not also count as a closed store. */
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

/** Maximum tried stores of the same name, nearest first. */
const MAX_STORES_TRIED = 10;

type Substitute = Pick<QuotedOrder, 'request' | 'store' | 'quote' | 'stock' | 'room'> & {
  promotions: LoadedPromotions;
};

/**
 * Moves an order whose only error is unavailable products to the nearest store of the same name that has the same
 * products (by UPC, otherwise by name) and can fulfill the whole order (docs/orders.md#substitution). Undefined if
 * there is none.
 */
async function substituteOrder(
  deps: Pick<OrderDeps, 'db' | 'tokens' | 'search' | 'orderStatements'>,
  caller: Caller,
  inputs: AssessmentInputs,
  faults: readonly OrderFault[],
): Promise<Substitute | undefined> {
  if (faults.length === 0 || faults.some((fault) => fault.code !== 'product_unavailable')) return undefined;
  const { store, request } = inputs;
  const { latitude, longitude } = request.customer;
  const near = { latitude: latitude ?? store.latitude, longitude: longitude ?? store.longitude };
  for (const storeId of deps.search.nearestNamed(store.name, near, sandboxOf(caller), MAX_STORES_TRIED + 1)) {
    const other = storeId === store.storeId ? undefined : await findStore(deps.db, storeId);
    const substitute = other && (await tryStore(deps, caller, inputs, other));
    if (substitute) return substitute;
  }
  return undefined;
}

async function tryStore(
  deps: Pick<OrderDeps, 'db' | 'tokens' | 'orderStatements'>,
  caller: Caller,
  inputs: AssessmentInputs,
  store: Store,
): Promise<Substitute | undefined> {
  const wanted = [...inputs.products.values()];
  const matchedProductNo = matchNamedProducts(wanted, await findSimilarProducts(deps.db, store.storeId, wanted));
  const sameAs = (productId: string) => {
    const original = inputs.products.get(productId);
    const productNo = original && matchedProductNo.get(original.productNo);
    return productNo === undefined ? undefined : sealProduct(deps.tokens, { storeId: store.storeId, productNo });
  };
  const items = inputs.request.items.flatMap((item) => {
    const productId = sameAs(item.productId);
    return productId === undefined ? [] : [{ ...item, productId, ...mapSubstitution(item, sameAs) }];
  });
  if (items.length < inputs.request.items.length) return undefined;
  const own = await deps.orderStatements.findInputs({
    caller,
    storeId: store.storeId,
    productNos: [...matchedProductNo.values()],
    paymentMethodId: inputs.request.paymentMethodId,
    payingUserId: null,
    ...promotionInputs(deps.tokens, caller, inputs.request),
    now: inputs.now,
  });
  const products = new Map(own.products.map((product) => [sealProduct(deps.tokens, product), product]));
  const weighed = readItems(items, products);
  if ('faults' in weighed) return undefined;
  const request = { ...inputs.request, ...weighed };
  const order = { request, caller, allowsNegativeMarkup: inputs.allowsNegativeMarkup };
  const assessment = assessOrder(await assessmentInputs(deps, order, { ...own, store }, products, inputs.now));
  return 'quote' in assessment ? { request, store, promotions: own.promotions, ...assessment } : undefined;
}

/** The named substitutes that the other store also sells; a refund if it sells none. */
function mapSubstitution(
  { substitution }: RequestedItem,
  sameAs: (productId: string) => string | undefined,
): Pick<RequestedItem, 'substitution'> {
  if (substitution?.preference !== 'specific') return {};
  const productIds = substitution.productIds.flatMap((productId) => sameAs(productId) ?? []);
  return { substitution: productIds.length === 0 ? { preference: 'refund' } : { preference: 'specific', productIds } };
}

/**
 * Maps each wanted product to the same product of another store: by UPC, otherwise by name in any letter case
 * (docs/orders.md#substitution). The first match wins.
 */
export function matchNamedProducts(
  wanted: readonly ComparedProduct[],
  candidates: readonly ComparedProduct[],
): ReadonlyMap<number, number> {
  // Indexed, because an order contains up to 100 items with 10 named substitutes each.
  const byUpc = indexFirstProducts(candidates, ({ upcCode }) => upcCode);
  const byName = indexFirstProducts(candidates, ({ name }) => name.toLowerCase());
  const same = new Map<number, number>();
  for (const { productNo, upcCode, name } of wanted) {
    const match = (upcCode === null ? undefined : byUpc.get(upcCode)) ?? byName.get(name.toLowerCase());
    if (match !== undefined) same.set(productNo, match);
  }
  return same;
}

/** The first product's number for each key. Products without a key have no entry. */
function indexFirstProducts(
  products: readonly ComparedProduct[],
  keyOf: (product: ComparedProduct) => string | null,
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const product of products) {
    const key = keyOf(product);
    if (key !== null && !numbers.has(key)) numbers.set(key, product.productNo);
  }
  return numbers;
}
