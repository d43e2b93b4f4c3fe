import { type Sandbox, sandboxOf } from '../../accounts/account.ts';
import { sealProduct } from '../../catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../catalog/product.ts';
import { findProducts } from '../../catalog/products.db.ts';
import type { Store } from '../../stores/store.ts';
import { findStore } from '../../stores/stores.db.ts';
import { type AssessmentInputs, assessOrder } from '../assess-order.ts';
import { assessmentInputs } from '../assessment-inputs.flow.ts';
import type { FrozenQuote, HeldStock, OrderRequest, RequestedItem } from '../order.ts';
import type { OrderDeps } from '../order-deps.ts';
import type { OrderFault } from '../order-faults.ts';
import { findLikeProducts } from './same-products.db.ts';
import { matchProducts } from './same-products.ts';

/** Stores of the same name that are tried, nearest first. */
const MAX_STORES_TRIED = 10;

type Substitute = { request: OrderRequest; store: Store; quote: FrozenQuote; stock: readonly HeldStock[] };

/**
 * Moves an order whose only fault is unavailable products to the nearest store of the same name that has the same products
 * (by UPC, else by name) and can fulfil the whole order (docs/behaviour.md#substitution). Undefined without such a
 * store.
 */
export async function substituteOrder(
  deps: Pick<OrderDeps, 'db' | 'tokens' | 'search'>,
  inputs: AssessmentInputs,
  faults: readonly OrderFault[],
): Promise<Substitute | undefined> {
  if (faults.length === 0 || faults.some((fault) => fault.code !== 'product_unavailable')) return undefined;
  const { store, request } = inputs;
  const { latitude, longitude } = request.customer;
  const near = { latitude: latitude ?? store.latitude, longitude: longitude ?? store.longitude };
  for (const storeId of deps.search.stores.nearestNamed(
    store.name,
    near,
    sandboxOf(inputs.caller),
    MAX_STORES_TRIED + 1,
  )) {
    const other = storeId === store.storeId ? undefined : await findStore(deps.db, storeId);
    const substitute = other && (await tryStore(deps, inputs, other));
    if (substitute) return substitute;
  }
  return undefined;
}

async function tryStore(
  deps: Pick<OrderDeps, 'db' | 'tokens'>,
  inputs: AssessmentInputs,
  store: Store,
): Promise<Substitute | undefined> {
  const wanted = [...inputs.products.values()];
  const numberOf = matchProducts(wanted, await findLikeProducts(deps.db, store.storeId, wanted));
  const sameAs = (productId: string) => {
    const original = inputs.products.get(productId);
    const productNo = original && numberOf.get(original.productNo);
    return productNo === undefined ? undefined : sealProduct(deps.tokens, { storeId: store.storeId, productNo });
  };
  const items = inputs.request.items.flatMap((item) => {
    const productId = sameAs(item.productId);
    return productId === undefined ? [] : [{ ...item, productId, ...substitutionThere(item, sameAs) }];
  });
  if (items.length < inputs.request.items.length) return undefined;
  const { caller } = inputs;
  const products = await productsByToken(deps, store.storeId, [...numberOf.values()], sandboxOf(caller));
  const request = { ...inputs.request, items };
  const order = { request, caller, allowsNegativeMarkup: inputs.allowsNegativeMarkup };
  const assessment = assessOrder(await assessmentInputs(deps, order, store, products, inputs.now));
  return 'quote' in assessment ? { request, store, ...assessment } : undefined;
}

/** The named substitutes that the other store has too; without any the money is given back. */
function substitutionThere(
  { substitution }: RequestedItem,
  sameAs: (productId: string) => string | undefined,
): Pick<RequestedItem, 'substitution'> {
  if (substitution?.preference !== 'specific') return {};
  const productIds = substitution.productIds.flatMap((productId) => sameAs(productId) ?? []);
  return { substitution: productIds.length === 0 ? { preference: 'refund' } : { preference: 'specific', productIds } };
}

async function productsByToken(
  deps: Pick<OrderDeps, 'db' | 'tokens'>,
  storeId: string,
  numbers: readonly number[],
  sandbox: Sandbox,
): Promise<Map<string, CatalogProduct>> {
  const products = await findProducts(deps.db, storeId, numbers, sandbox);
  return new Map(
    products.map((product) => [sealProduct(deps.tokens, { storeId, productNo: product.productNo }), product]),
  );
}
