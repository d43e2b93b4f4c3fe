import type { ColumnType, Generated } from 'kysely';
import type { DigestColumn, MaybeJsonColumn } from '../db/columns.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { Customization } from './product.ts';

/** What stores sell, and the version of what a client sees of it. */
declare module '../db/tables.ts' {
  interface Database {
    categories: {
      storeId: string;
      categoryNo: number;
      externalId: string;
      parentNo: number | null;
      position: number;
      name: string;
      menuHours: ColumnType<readonly WeeklyHours[], string | undefined, string>;
      isLeaf: boolean;
      removed: Generated<boolean>;
      digest: DigestColumn;
    };
    products: {
      storeId: string;
      productNo: number;
      externalId: string;
      categoryNo: number;
      position: number;
      name: string;
      searchWords: string;
      description: string | null;
      price: number;
      pickupPrice: number;
      originalPrice: number;
      image: string | null;
      thumbnailImage: string | null;
      unitSize: number | null;
      unitOfMeasurement: string;
      upcCode: string | null;
      isAlcoholic: boolean;
      inDelivery: boolean;
      inPickup: boolean;
      hours: MaybeJsonColumn<WeeklyHours>;
      customizations: MaybeJsonColumn<readonly Customization[]>;
      optionCount: number;
      minExtra: number;
      available: boolean;
      qtyAvailable: number | null;
      removed: Generated<boolean>;
      feedHash: Buffer;
      deliveryView: ColumnType<string | null, string | null, string | null>;
      pickupView: ColumnType<string | null, string | null, string | null>;
      deliveryDigest: DigestColumn;
      pickupDigest: DigestColumn;
    };
    menus: {
      storeId: string;
      deliveryDigest: Generated<number>;
      pickupDigest: Generated<number>;
    };
  }
}
