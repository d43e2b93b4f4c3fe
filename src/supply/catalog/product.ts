import type { ConditionalPrice } from '../pricing/price-order.ts';
import type { SoldByWeight } from '../pricing/weight.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import type { Mode } from '../stores/store.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import type { Food } from './food.ts';

/** An option of a customization. Prices are whole cents in the store's currency, per unit chosen. */
export type Option = {
  id: string;
  name: string;
  price: number;
  defaultQty: number;
  minQty: number;
  maxQty: number;
  /** Prices of this option if another option is chosen too; the highest one applies. */
  conditionalPrice: ConditionalPrice;
  /** Its own food facts; absent if unknown. */
  food?: Food;
  /** Its own tax class; absent: the product's. */
  taxClass?: TaxClass;
  customizations: readonly Customization[];
};

/** Limits of the units of a modifier group, which are the quantities of its options added up; absent: no limit. */
export type UnitLimits = { minTotalUnits?: number; maxTotalUnits?: number };

/** A modifier group. Its choices count distinct options. */
export type Customization = UnitLimits & {
  id: string;
  name: string;
  minChoiceOptions: number;
  maxChoiceOptions: number;
  options: readonly Option[];
};

/** A catalog product with the fields that decide whether it is sold. Prices are whole cents. */
export type CatalogProduct = {
  storeId: string;
  /** Permanent number within the store, used in product tokens. */
  productNo: number;
  externalId: string;
  categoryNo: number;
  name: string;
  description: string | null;
  /** Price for delivery, in cents. */
  price: number;
  pickupPrice: number;
  originalPrice: number;
  /** The promotion's lower price for delivery; null without one. */
  menuPrice: number | null;
  menuPickupPrice: number | null;
  image: string | null;
  thumbnailImage: string | null;
  unitSize: number | null;
  unitOfMeasurement: string;
  /** Absent: sold by the piece. Otherwise the size its price is for. */
  weight?: SoldByWeight;
  upcCode: string | null;
  isAlcoholic: boolean;
  /** Its own, or `alcohol` for alcohol, or the nearest category's; null: the store's default. */
  taxClass: TaxClass | null;
  /** Food facts with default options; null if unknown. */
  food: Food | null;
  modes: Readonly<Record<Mode, boolean>>;
  /** Own menu hours; null for all hours. */
  hours: MenuWeek | null;
  /** Menu hours of its category and of all parents that have any. */
  categoryHours: readonly MenuWeek[];
  customizations: readonly Customization[];
  /** Number of options, nested ones included. */
  optionCount: number;
  /** Cents that the cheapest required choices add. */
  minExtra: number;
  available: boolean;
  /** Units in stock; null if stock is not counted. */
  qtyAvailable: number | null;
  /** Whether it has left the store's catalog. */
  removed: boolean;
};
