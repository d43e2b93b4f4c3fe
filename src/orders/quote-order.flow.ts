import { type Caller, sandboxOf } from '../accounts/account.ts';
import { openProduct } from '../catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../catalog/product.ts';
import { findProducts } from '../catalog/products.db.ts';
import type { HeldBack } from '../payments/declines/decline.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import type { Store } from '../stores/store.ts';
import { namedIn, namedSubstituteFaults } from './adjustments/named-substitutes.ts';
import { assessOrder } from './assess-order.ts';
import { assessmentInputs } from './assessment-inputs.flow.ts';
import type { FrozenQuote, HeldStock, OrderRequest } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { type OrderFault, refusalOfFaults, unknownProduct } from './order-faults.ts';
import type { InputsQuery, OrderInputs } from './order-inputs.db.ts';
import { substituteOrder } from './other-store/substitute-order.flow.ts';

/** An order that may be placed as it stands: the request (with substitutes, where there were any), its quote, its card. */
export type QuotedOrder = {
  request: OrderRequest;
  store: Store;
  quote: FrozenQuote;
  stock: readonly HeldStock[];
  paymentMethod: PaymentMethod | undefined;
  /** What declined cards hold back: the order may be quoted, and no card be charged for it. */
  heldBack: HeldBack | undefined;
  keyId: string;
};

/**
 * Judges and prices an order as the stores stand now. Refuses with every fault of it at once
 * (docs/behaviour.md#faults-of-an-order).
 */
export async function quoteOrder(
  deps: Pick<OrderDeps, 'clock' | 'db' | 'tokens' | 'inventory' | 'placing' | 'search'>,
  caller: Caller,
  request: OrderRequest,
): Promise<QuotedOrder> {
  return quoteNamed(deps, namedInputs(deps, caller, request));
}

/** The same of inputs that the caller has named already. */
export function quoteNamed(deps: QuoteDeps & Pick<OrderDeps, 'placing'>, named: NamedInputs): Promise<QuotedOrder> {
  return quoteByInputs(deps, named, deps.placing.findInputs(named.query));
}

type QuoteDeps = Pick<OrderDeps, 'db' | 'tokens' | 'inventory' | 'search'>;

/** The same by inputs that are being read, or that this node has in memory. */
export async function quoteByInputs(
  deps: QuoteDeps,
  named: NamedInputs,
  read: OrderInputs | Promise<OrderInputs>,
): Promise<QuotedOrder> {
  const { request, query } = named;
  const { caller, now } = query;
  const loaded = await loadProducts(deps, named, read);
  const { paymentMethod, heldBack } = loaded;
  const paying = { paymentMethod, heldBack, keyId: caller.keyId };
  const faults = [...loaded.faults, ...cardFaults(request, paymentMethod)];
  if (!loaded.store) {
    const unknown = request.items.map(({ productId }, index) => unknownProduct(productId, index));
    throw refusalOfFaults([...faults, ...unknown]);
  }
  const order = { request, caller, allowsNegativeMarkup: loaded.allowsNegativeMarkup };
  const inputs = await assessmentInputs(deps, order, loaded.store, loaded.products, now);
  const assessment = assessOrder(inputs);
  if ('quote' in assessment && faults.length === 0) return { request, store: loaded.store, ...assessment, ...paying };
  const all = [...faults, ...('faults' in assessment ? assessment.faults : [])];
  const substitute = request.enableSubstitution ? await substituteOrder(deps, inputs, all) : undefined;
  if (!substitute) throw refusalOfFaults(all);
  return { ...substitute, ...paying };
}

type LoadedProducts = {
  store: Store | undefined;
  products: Map<string, CatalogProduct>;
  paymentMethod: PaymentMethod | undefined;
  allowsNegativeMarkup: boolean;
  heldBack: HeldBack | undefined;
  faults: OrderFault[];
};

type Refs = ReadonlyMap<string, { storeId: string; productNo: number } | undefined>;

/** What an order names: products by their tokens, of the store that most likely sells them and of others. */
export type NamedInputs = { request: OrderRequest; refs: Refs; otherIds: readonly string[]; query: InputsQuery };

export function namedInputs(
  { tokens, clock }: Pick<OrderDeps, 'tokens' | 'clock'>,
  caller: Caller,
  request: OrderRequest,
): NamedInputs {
  const refOf = (token: string) => [token, openProduct(tokens, token)] as const;
  const ordered = new Map(request.items.map(({ productId }) => refOf(productId)));
  const [storeId = '', ...otherIds] = new Set([...ordered.values()].flatMap((ref) => (ref ? [ref.storeId] : [])));
  const refs = new Map([...ordered, ...request.items.flatMap(({ substitution }) => namedIn(substitution)).map(refOf)]);
  const { paymentMethodId, chargeUser, customer } = request;
  const payingUserId = chargeUser && paymentMethodId !== null ? customer.userId : null;
  const ids = { storeId, productNos: numbersIn(refs, storeId), paymentMethodId, payingUserId };
  return { request, refs, otherIds, query: { caller, ...ids, now: clock.now() } };
}

async function loadProducts(
  { db, inventory }: Pick<OrderDeps, 'db' | 'inventory'>,
  { request, refs, otherIds, query }: NamedInputs,
  read: OrderInputs | Promise<OrderInputs>,
): Promise<LoadedProducts> {
  const { storeId } = query;
  const sandbox = sandboxOf(query.caller);
  const [snapshot, own, ...catalogs] = await Promise.all([
    inventory.snapshot(storeId, sandbox),
    read,
    ...otherIds.map((otherId) => findProducts(db, otherId, numbersIn(refs, otherId), sandbox)),
  ]);
  const ownProducts = own.products.map(({ product }) => product);
  const byRef = new Map(
    [ownProducts, ...catalogs].flat().map((product) => [`${product.storeId}/${product.productNo}`, product]),
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
  const faults = namedSubstituteFaults(request.items, refs, products, storeId);
  const { products: _, ...more } = own;
  const all = otherIds.length > 0 ? [mixed, ...faults] : faults;
  return { store: snapshot?.store, products, ...more, faults: all };
}

function numbersIn(refs: Refs, storeId: string): number[] {
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
