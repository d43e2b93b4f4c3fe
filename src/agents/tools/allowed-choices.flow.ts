import { type Caller, sandboxOf } from '../../accounts/account.ts';
import { openProduct } from '../../catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../catalog/product.ts';
import { findProducts } from '../../catalog/products.db.ts';
import type { Refusal } from '../../http/refusal.ts';
import { autofillOptions } from '../../orders/options/autofill-options.ts';
import { chooseOptions } from '../../orders/options/choose-options.ts';
import type { OrderRequest, RequestedItem } from '../../orders/order.ts';
import type { OrderDeps } from '../../orders/order-deps.ts';
import { entriesOf, findChoice, type ShownChoice } from '../product-choices.ts';
import { MAX_NAME } from '../shown-store.ts';
import { clip, fitting } from '../tool-answer.ts';

const CHOICES_BYTES = 4 * 1024;
/** Items whose choices one refusal shows: a model corrects these, and hears of the others at its next call. */
const MAX_ITEMS = 5;
const AT_OPTIONS = /^items\[(\d+)\]\.selected_options$/;

type Deps = Pick<OrderDeps, 'db' | 'tokens'>;
type AllowedChoice = ShownChoice & { at: string; product: string };

/** The choices that the faults of an order's options are about, with the options that are allowed. */
export async function allowedChoices(
  deps: Deps,
  caller: Caller,
  request: OrderRequest,
  { extras }: Refusal,
): Promise<AllowedChoice[]> {
  const indices = new Set((extras.errors ?? []).flatMap(({ name }) => AT_OPTIONS.exec(name)?.[1] ?? []));
  const shown: AllowedChoice[] = [];
  for (const index of [...indices].slice(0, MAX_ITEMS)) {
    const item = request.items[Number(index)];
    const product = item && (await readProduct(deps, caller, item.productId));
    if (!item || !product) continue;
    const head = { at: `items[${index}]`, product: clip(product.name, MAX_NAME) };
    shown.push(...choicesAtFault(product, item, request).map((choice) => ({ ...head, ...choice })));
  }
  return fitting(shown, CHOICES_BYTES);
}

async function readProduct({ db, tokens }: Deps, caller: Caller, token: string): Promise<CatalogProduct | undefined> {
  const ref = openProduct(tokens, token);
  const [product] = ref ? await findProducts(db, ref.storeId, [ref.productNo], sandboxOf(caller)) : [];
  return product;
}

/** The choices that the faults name; for an unknown option all choices that need no other option. */
function choicesAtFault(
  { customizations }: CatalogProduct,
  { selectedOptions }: RequestedItem,
  { autofillSelectedOptions }: OrderRequest,
): ShownChoice[] {
  const selected = selectedOptions.map((option) => ({ ...option, quantity: option.quantity ?? undefined }));
  const chosen = (autofillSelectedOptions ? autofillOptions : chooseOptions)(customizations, selected);
  if (!('faults' in chosen)) return [];
  const named = new Set(chosen.faults.flatMap(({ customizationId }) => customizationId ?? []));
  const hasUnknown = chosen.faults.some(({ kind }) => kind === 'unknown_option');
  const topIds = hasUnknown ? customizations.map(({ id }) => id) : [];
  return [...new Set([...named, ...topIds])].flatMap((id) => {
    const found = findChoice(customizations, id);
    return found ? entriesOf(found.customization, found.parent) : [];
  });
}
