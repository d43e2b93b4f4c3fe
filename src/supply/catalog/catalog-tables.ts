import type { ColumnType, Generated } from 'kysely';
import type { ColumnsOf, DigestColumn, MaybeJsonColumn } from '../../platform/db/columns.ts';
import type { SoldByWeight } from '../pricing/weight.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import type { Food } from './food.ts';
import type { CatalogProduct, Customization } from './product.ts';

/** Categories and products of stores, units held by sandbox orders, and the inventory version. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    categories: {
      storeId: string;
      categoryNo: number;
      externalId: string;
      parentNo: number | null;
      position: number;
      name: string;
      menuHours: ColumnType<readonly MenuWeek[], string | undefined, string>;
      isLeaf: boolean;
      taxClasses: Generated<TaxClass[]>;
      removed: Generated<boolean>;
      digest: DigestColumn;
    };
    products: ColumnsOf<Omit<CatalogProduct, 'modes' | 'categoryHours' | 'food' | 'weight' | 'customizations'>> & {
      position: number;
      searchWords: string;
      inDelivery: boolean;
      inPickup: boolean;
      food: MaybeJsonColumn<Food>;
      weight: MaybeJsonColumn<SoldByWeight>;
      foodClaims: Generated<number>;
      customizations: MaybeJsonColumn<readonly Customization[]>;
      availableAt: ColumnType<Temporal.Instant | null, undefined, Temporal.Instant | null>;
      feedHash: Buffer;
      feedAvailable: boolean;
      feedQtyAvailable: number | null;
      optionsOff: Generated<string[]>;
      fullCustomizations: MaybeJsonColumn<readonly Customization[]>;
      deliveryView: ColumnType<string | null, string | null, string | null>;
      pickupView: ColumnType<string | null, string | null, string | null>;
      deliveryDigest: DigestColumn;
      pickupDigest: DigestColumn;
    };
    sandboxStock: { storeId: string; accountId: string; productNo: number; held: number };
    menus: {
      storeId: string;
      deliveryDigest: Generated<number>;
      pickupDigest: Generated<number>;
      categoryDigest: Generated<number>;
      deliveryLeaves: Generated<number>;
      pickupLeaves: Generated<number>;
    };
  }
}
