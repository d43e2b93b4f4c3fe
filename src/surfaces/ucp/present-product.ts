import { minAgeAt } from '../../ordering/order/alcohol.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { menuPriceForMode } from '../../supply/catalog/availability.ts';
import { sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import { gtin14Of } from '../../supply/catalog/gtin.ts';
import { presentPrices } from '../../supply/catalog/present-menu.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { currencyOf, type Mode, type Store } from '../../supply/stores/store.ts';
import { isAlcohol } from '../../supply/stores/tax-class.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { METHODS } from './catalog-request.ts';
import { disclosures } from './checkout-lines.ts';
import type { Message } from './contract.ts';
import { itemCents, unitPriceOf, unitsOf } from './quantities.ts';
import type { Choice, Sold, Variant } from './variants.ts';

/** A product with its available variants, in the mode whose price is shown. */
export type ListedProduct = {
  product: CatalogProduct;
  store: Store;
  /** Its category from the top: `Dairy > Butter`. */
  categoryPath: string | undefined;
  mode: Mode;
  /** Undefined where its required choices cannot be expressed. */
  sold: Sold | undefined;
  /** The modes where the store takes orders, now or later. */
  openModes: ReadonlySet<Mode>;
};

export type ProductView = {
  tokens: TokenSealer;
  locale: Locale;
  /** The store's page, with its products below `#item=`. */
  pageOf(storeId: string): string;
  /** Whether both sides speak fulfillment. */
  hasMethods: boolean;
};

/** Whether one can be put in a cart, regardless of the hours. */
export const isInStock = ({
  product: { removed, available, qtyAvailable },
  sold,
}: Pick<ListedProduct, 'product' | 'sold'>) => sold !== undefined && !removed && available && qtyAvailable !== 0;

/** The price of one, or of a whole unit of goods by weight, in cents. */
export const variantCents = (
  { product, mode }: Pick<ListedProduct, 'product' | 'mode'>,
  { extraCents }: Pick<Variant, 'extraCents'>,
) => itemCents(product, menuPriceForMode(product, mode)) + extraCents;

/** The variant of a product whose choices cannot be expressed. */
const unsoldVariant = (id: string): Variant => ({ id, choices: [], options: [], extraCents: 0 });

/** The variants of a product, at least one. */
export const variantsOf = (listed: ListedProduct, tokens: TokenSealer): readonly Variant[] =>
  listed.sold?.variants ?? [unsoldVariant(sealProduct(tokens, listed.product))];

type PresentedVariant = { id: string } & Readonly<Record<string, unknown>>;
type PresentedProduct = { id: string; variants: PresentedVariant[] } & Readonly<Record<string, unknown>>;

/** Shows a product with some of its variants, all by default. */
export function presentProduct(
  listed: ListedProduct,
  view: ProductView,
  shown: readonly Variant[] = variantsOf(listed, view.tokens),
): PresentedProduct {
  const { product, store, categoryPath, sold } = listed;
  const id = sealProduct(view.tokens, product);
  const currency = currencyOf(store.address.country);
  const amounts = variantsOf(listed, view.tokens).map((variant) => variantCents(listed, variant));
  const about = [
    product.description || product.name,
    ...(sold?.isByDefault ? [view.locale.words.agent.catalog.defaults] : []),
  ];
  const [image] = mediaOf(product);
  return {
    id,
    title: product.name,
    description: { plain: about.join(' ') },
    url: `${view.pageOf(store.storeId)}#item=${encodeURIComponent(id)}`,
    ...(categoryPath === undefined ? {} : { categories: [{ value: categoryPath, taxonomy: 'merchant' }] }),
    ...(image ? { media: [image] } : {}),
    price_range: { min: { amount: Math.min(...amounts), currency }, max: { amount: Math.max(...amounts), currency } },
    ...(sold && sold.groups.length > 0
      ? { options: sold.groups.map(({ name, labels }) => ({ name, values: labels.map((label) => ({ label })) })) }
      : {}),
    variants: shown.map((variant) => presentVariant(listed, view, variant)),
    metadata: { store_id: store.storeId },
  };
}

const mediaOf = ({ image, name }: CatalogProduct) =>
  image !== null && URL.canParse(image) ? [{ type: 'image', url: image, alt_text: name }] : [];

const labelOf = (choices: readonly Choice[]) => choices.map(({ label }) => label).join(', ');

function presentVariant(listed: ListedProduct, view: ProductView, variant: Variant): PresentedVariant {
  const { product, store, mode } = listed;
  const currency = currencyOf(store.address.country);
  const amount = variantCents(listed, variant);
  const listCents = itemCents(product, presentPrices(product, mode).original_price) + variant.extraCents;
  const title = variant.choices.length > 0 ? labelOf(variant.choices) : product.name;
  const units = unitsOf(product, { cents: menuPriceForMode(product, mode), currency });
  const unitPrice = product.weight ? undefined : unitPriceOf(product, { amount, currency });
  const barcode = barcodeOf(product.upcCode);
  return {
    id: variant.id,
    sku: product.externalId,
    ...(barcode ? { barcodes: [barcode] } : {}),
    title,
    description: { plain: variant.choices.length > 0 ? title : product.description || title },
    price: { amount, currency },
    ...(listCents > amount ? { list_price: { amount: listCents, currency } } : {}),
    ...(unitPrice ? { unit_price: unitPrice } : units),
    availability: availabilityOf(isInStock(listed)),
    options: variant.choices,
    seller: { name: store.name },
    metadata: { store_id: store.storeId },
    ...(view.hasMethods ? { fulfillment: { methods: methodsOf(listed, view) } } : {}),
  };
}

const availabilityOf = (available: boolean) => ({ available, status: available ? 'in_stock' : 'out_of_stock' });

/** EAN-8 and EAN-13 are for every country, UPC-A for North America. */
function barcodeOf(code: string | null): { type: string; value: string } | undefined {
  if (code === null || gtin14Of(code) === undefined) return undefined;
  const value = code.replace(/\D/g, '');
  if (value.length === 12) return { type: 'UPC', value };
  return value.length === 13 || value.length === 8 ? { type: 'EAN', value } : undefined;
}

/** How a product gets to the customer: no minutes and no fee, since there is no address. */
function methodsOf(listed: ListedProduct, { locale }: ProductView): object[] {
  const { product, store, openModes } = listed;
  const { delivery, pickup } = locale.words.agent.catalog;
  const modes = (['delivery', 'pickup'] as const).filter((mode) => store[mode].enabled && product.modes[mode]);
  return modes.map((mode) => ({
    type: METHODS[mode],
    ...(mode === 'pickup' ? { location: store.storeId } : {}),
    availability: availabilityOf(isInStock(listed) && openModes.has(mode)),
    description: { plain: mode === 'delivery' ? delivery : pickup({ store: store.name }) },
  }));
}

/** Required statements about products: known allergens, and the minimum age for alcohol. */
export function productMessages(
  products: readonly Pick<ListedProduct, 'product' | 'store'>[],
  locale: Locale,
  pathOf: (nth: number) => string,
): Message[] {
  const foods = products.map(({ product: { food } }) => ({ food: { product: food, options: [] } }));
  const ages = products.flatMap(({ product, store }, nth): Message[] => {
    if (!isAlcohol(product, [product.taxClass ?? store.taxClass])) return [];
    const age = minAgeAt(store.address.country, store.address.state);
    const content = `${product.name}: ${locale.words.checkout.place.showId({ age })}`;
    return [{ type: 'info', code: 'age_verification_required', path: pathOf(nth), content }];
  });
  return [...disclosures(foods, locale, pathOf), ...ages];
}
