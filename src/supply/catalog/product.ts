import type { ConditionalPrice } from '../pricing/price-order.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { Mode } from '../stores/store.ts';
import type { Food } from './food.ts';

/** An option of a customization. Prices are whole cents of the store's currency, per unit chosen. */
export type Option = {
  id: string;
  name: string;
  price: number;
  defaultQty: number;
  minQty: number;
  maxQty: number;
  /** Price instead of `price` where the option of the key is chosen too; the highest of several such prices. */
  conditionalPrice: ConditionalPrice;
  /** What is known of its food by itself; absent: nothing. */
  food?: Food;
  customizations: readonly Customization[];
};

/** A choice that a product offers; its bounds count distinct chosen options. */
export type Customization = {
  id: string;
  name: string;
  minChoiceOptions: number;
  maxChoiceOptions: number;
  options: readonly Option[];
};

/** A product of a store's catalog, with the fields that decide whether it is sold. Prices are whole cents. */
export type CatalogProduct = {
  storeId: string;
  /** Its number within the store, which never changes: product tokens have it. */
  productNo: number;
  /** The feed's own id. */
  externalId: string;
  categoryNo: number;
  name: string;
  description: string | null;
  /** Price for delivery. */
  price: number;
  pickupPrice: number;
  originalPrice: number;
  image: string | null;
  thumbnailImage: string | null;
  unitSize: number | null;
  unitOfMeasurement: string;
  upcCode: string | null;
  isAlcoholic: boolean;
  /** What is known of its food as configured by default; null: nothing. */
  food: Food | null;
  modes: Readonly<Record<Mode, boolean>>;
  /** Its own menu hours; null is at all hours. */
  hours: WeeklyHours | null;
  /** The menu hours of its category and of every category above it, where they have any. */
  categoryHours: readonly WeeklyHours[];
  customizations: readonly Customization[];
  /** Options in all its customizations, nested options counted. */
  optionCount: number;
  /** Cents that the cheapest way to meet the required choices adds to the price. */
  minExtra: number;
  /** Whether it is on sale at all. */
  available: boolean;
  /** Units in stock; null where stock is not counted. */
  qtyAvailable: number | null;
  /** Whether it has left its store's catalog. */
  removed: boolean;
};
