import type { ColumnType, Generated } from 'kysely';
import type { DigestColumn, MaybeJsonColumn } from '../db/columns.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { Customization } from './product.ts';

/** What stores sell, and the version of what a client sees of it. */
declare module '../db/tables.ts' {
  interface Database {
    categories: {
      store_id: string;
      category_no: number;
      external_id: string;
      parent_no: number | null;
      position: number;
      name: string;
      menu_hours: ColumnType<readonly WeeklyHours[], string | undefined, string>;
      is_leaf: boolean;
      removed: Generated<boolean>;
      digest: DigestColumn;
    };
    products: {
      store_id: string;
      product_no: number;
      external_id: string;
      category_no: number;
      position: number;
      name: string;
      search_words: string;
      description: string | null;
      price: number;
      pickup_price: number;
      original_price: number;
      image: string | null;
      thumbnail_image: string | null;
      unit_size: number | null;
      unit_of_measurement: string;
      upc_code: string | null;
      is_alcoholic: boolean;
      in_delivery: boolean;
      in_pickup: boolean;
      hours: MaybeJsonColumn<WeeklyHours>;
      customizations: MaybeJsonColumn<readonly Customization[]>;
      option_count: number;
      min_extra: number;
      available: boolean;
      qty_available: number | null;
      removed: Generated<boolean>;
      feed_hash: Buffer;
      delivery_view: ColumnType<string | null, string | null, string | null>;
      pickup_view: ColumnType<string | null, string | null, string | null>;
      delivery_digest: DigestColumn;
      pickup_digest: DigestColumn;
    };
    menus: {
      store_id: string;
      delivery_digest: Generated<number>;
      pickup_digest: Generated<number>;
    };
  }
}
