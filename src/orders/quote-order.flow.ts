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
import type { OrderInputs } from './order-inputs.db.ts';
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
  deps: Pick<OrderDeps, 'clock' | 'db' | 'tokens' | 'inventory' | 'search' | 'orderStatements'>,
  caller: Caller,
  request: OrderRequest,
): Promise<QuotedOrder> {
  const now = deps.clock.now();
  const loaded = await loadInputs(deps, caller, request, now);
  const { store, products, allowsNegativeMarkup, paymentMethod, heldBack } = loaded;
  const paying = { paymentMethod, heldBack, keyId: caller.keyId };
  const faults = [...loaded.faults, ...cardFaults(request, paymentMethod)];
  if (!store) {
    const unknown = request.items.map(({ productId }, index) => unknownProduct(productId, index));
    throw refusalOfFaults([...faults, ...unknown]);
  }
  const inputs = await assessmentInputs(deps, { request, caller, allowsNegativeMarkup }, store, products, now);
  const assessment = assessOrder(inputs);
  if ('quote' in assessment && faults.length === 0) return { request, store, ...assessment, ...paying };
  const all = [...faults, ...('faults' in assessment ? assessment.faults : [])];
  const substitute = request.enableSubstitution ? await substituteOrder(deps, inputs, all) : undefined;
  if (!substitute) throw refusalOfFaults(all);
  return { ...substitute, ...paying };
}

type LoadedInputs = Omit<OrderInputs, 'products'> & {
  store: Store | undefined;
  products: Map<string, CatalogProduct>;
  faults: OrderFault[];
};

type ProductRef = { storeId: string; productNo: number };

/** The products of an order by their tokens, its store, its card, and what holds the card back. */
async function loadInputs(
  { db, tokens, inventory, orderStatements }: Pick<OrderDeps, 'db' | 'tokens' | 'inventory' | 'orderStatements'>,
  caller: Caller,
  request: OrderRequest,
  now: Temporal.Instant,
): Promise<LoadedInputs> {
  const refOf = (token: string) => [token, openProduct(tokens, token)] as const;
  const ordered = new Map(request.items.map(({ productId }) => refOf(productId)));
  const refs = new Map([...ordered, ...request.items.flatMap(({ substitution }) => namedIn(substitution)).map(refOf)]);
  // All items belong to one store; others are a fault, and their products are read to name every fault at once.
  const [storeId = '', ...otherIds] = new Set([...ordered.values()].flatMap((ref) => (ref ? [ref.storeId] : [])));
  const sandbox = sandboxOf(caller);
  const { paymentMethodId, chargeUser, customer } = request;
  const payingUserId = chargeUser && paymentMethodId !== null ? customer.userId : null;
  const ids = { storeId, productNos: numbersIn(refs.values(), storeId), paymentMethodId, payingUserId };
  const [snapshot, own, ...catalogs] = await Promise.all([
    inventory.snapshot(storeId, sandbox),
    orderStatements.findInputs({ caller, ...ids, now }),
    ...otherIds.map((otherId) => findProducts(db, otherId, numbersIn(refs.values(), otherId), sandbox)),
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
  const substitutes = namedSubstituteFaults(request.items, refs, products, storeId);
  const faults = otherIds.length > 0 ? [mixed, ...substitutes] : substitutes;
  return { ...own, store: snapshot?.store, products, faults };
}

function numbersIn(refs: Iterable<ProductRef | undefined>, storeId: string): number[] {
  return [...new Set([...refs].flatMap((ref) => (ref?.storeId === storeId ? [ref.productNo] : [])))];
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
