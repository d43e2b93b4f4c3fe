import { withoutOptions } from '../../catalog/options-off.ts';
import type { Customization } from '../../catalog/product.ts';
import { shownChoices } from '../../catalog/shown-choices.ts';
import type { Mode } from '../../stores/store.ts';
import type { FeedProduct } from '../feed/parse-product.ts';
import { createListRank, createView, entryHash, productColumns, type Views } from '../store-rows.ts';
import { isEqual } from './menu-entry.ts';

/**
 * The products of one category as rows of the staging table. Their views change exactly when the list that a client sees
 * changes: products that are off sale, or moves of them, leave those of the others alone.
 */

/** A product of a category with its sale state. `stored` is its row, if it has one. */
export type LeafProduct = {
  product: FeedProduct;
  live: { available: boolean; optionsOff: readonly string[] };
  stored: { feedHash: string; views: Record<Mode, string | null> } | null;
};

type Leaf = {
  storeId: string;
  categoryId: string;
  before: readonly LeafProduct[];
  after: readonly LeafProduct[];
  /** Unique text of this change, so that a product off sale that moves gets a view that none had before. */
  nonce: string;
};

/** What a client sees of a product in a mode, and where it stands among those off sale. */
type Seen = { id: string; content: string; visible: boolean };

export function leafRows(leaf: Leaf): string[] {
  const { storeId, categoryId, before, after } = leaf;
  const views = { delivery: viewsIn('delivery', leaf), pickup: viewsIn('pickup', leaf) };
  const known = new Set(before.map(({ product }) => product));
  return after.map(({ product, stored }, position) => {
    const own: Views = {
      delivery_view: views.delivery[position] ?? null,
      pickup_view: views.pickup[position] ?? null,
    };
    const feedHash = stored && known.has(product) ? stored.feedHash : entryHash(product);
    const row = productColumns({ product, categoryId, position }, () => own, feedHash);
    return `{"seq":${position},"store_id":"${storeId}",${row.slice(1)}`;
  });
}

function viewsIn(mode: Mode, { categoryId, before, after, nonce }: Leaf): (string | null)[] {
  const [was, is] = [before, after].map((products) =>
    products.map(
      (one): Seen => ({
        id: one.product.externalId,
        content: isInMode(one.product, mode) ? viewOf(one, mode, categoryId, '', one.live.optionsOff) : '',
        visible: isInMode(one.product, mode) && one.live.available,
      }),
    ),
  );
  const isListKept = isEqual(was?.filter(isVisible), is?.filter(isVisible));
  const isAllKept = isListKept && isEqual(was, is);
  const rank = createListRank();
  return after.map((one, position) => {
    if (!isInMode(one.product, mode)) return null;
    const isOnSale = one.live.available;
    if (!isListKept) return viewOf(one, mode, categoryId, rank.next(isOnSale), NONE);
    const kept = isOnSale || isAllKept ? storedView(one, mode) : null;
    return kept ?? viewOf(one, mode, categoryId, `${nonce}.${position}`, NONE);
  });
}

const NONE: readonly string[] = [];
const isVisible = ({ visible }: Seen) => visible;
const isInMode = (product: FeedProduct, mode: Mode) => (mode === 'delivery' ? product.inDelivery : product.inPickup);

function viewOf({ product }: LeafProduct, mode: Mode, categoryId: string, place: string, off: readonly string[]) {
  return createView({ product, categoryId, choices: choicesView(product.customizations, off) })(mode, place);
}

function choicesView(customizations: readonly Customization[], off: readonly string[]): bigint {
  return shownChoices(withoutOptions(customizations, new Set(off))).view;
}

/** The stored view as it would be with all options on sale, because an import stages all of them (`pruneOptions`). */
function storedView({ product, live, stored }: LeafProduct, mode: Mode): string | null {
  const view = stored?.views[mode] ?? null;
  if (view === null || live.optionsOff.length === 0) return view;
  const [shown, full] = [choicesView(product.customizations, live.optionsOff), choicesView(product.customizations, [])];
  return BigInt.asIntN(64, BigInt(view) ^ shown ^ full).toString();
}
