import type { ColumnType, Generated } from 'kysely';
import type { Customization } from '../catalog/product.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { StoreProfile } from '../stores/store.ts';

/** A timestamptz: read as an instant, written as its ISO 8601 string. */
export type InstantColumn = ColumnType<Temporal.Instant, string, string>;
export type MaybeInstantColumn = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>;
/** A jsonb column: read parsed, written as a JSON string. */
export type JsonColumn<T> = ColumnType<T, string, string>;
type MaybeJsonColumn<T> = ColumnType<T | null, string | null | undefined, string | null>;
/** A bigint that may exceed 2^53: select it with `::text`. */
type DigestColumn = ColumnType<string, never, never>;

export type KeyMode = 'sandbox' | 'live';

export type Database = {
  settings: { name: string; value: string };
  accounts: { account_id: string; name: string; created_at: InstantColumn };
  api_keys: {
    key_id: string;
    account_id: string;
    mode: KeyMode;
    key_hash: Buffer;
    hint: string;
    created_at: InstantColumn;
    revoked_at: MaybeInstantColumn;
  };
  idempotency_keys: {
    account_id: string;
    mode: KeyMode;
    key: string;
    fingerprint: Buffer;
    state: 'running' | 'done';
    attempt: Generated<number>;
    started_at: InstantColumn;
    status: number | null;
    content_type: string | null;
    body: string | null;
  };
  change_clock: { only_row: Generated<boolean>; seq: number };
  stores: {
    store_id: string;
    source: string;
    external_id: string;
    profile: JsonColumn<StoreProfile>;
    online_ordering: boolean;
    accept_delivery: boolean;
    accept_pickup: boolean;
    supports_upc_codes: Generated<boolean>;
    has_catalogue: Generated<boolean>;
    listed: Generated<boolean>;
    feed_hash: Buffer;
    changed_seq: number;
    created_at: InstantColumn;
    updated_at: InstantColumn;
  };
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
  payment_methods: {
    payment_method_id: string;
    account_id: string;
    mode: KeyMode;
    user_id: string;
    user_email: string;
    gateway_token: string;
    brand: string;
    last4: string;
    expiration_month: number;
    expiration_year: number;
    created_at: InstantColumn;
    deleted_at: MaybeInstantColumn;
  };
  slot_holds: { store_id: string; pickup: boolean; starts_at: InstantColumn; held: number };
  slot_versions: { store_id: string; version: number };
  orders: {
    order_id: string;
    account_id: string;
    mode: KeyMode;
    user_id: string;
    store_id: string;
    status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
    pickup: boolean;
    request: JsonColumn<unknown>;
    quote: JsonColumn<unknown>;
    total_with_tip: number;
    idempotency_key: string | null;
    charge_user: boolean;
    payment_method_id: string | null;
    charge_state: 'none' | 'pending' | 'charged' | 'declined' | 'refund_pending' | 'refunded';
    charge_attempt: Generated<number>;
    charge_started_at: MaybeInstantColumn;
    charge_id: string | null;
    charged_cents: Generated<number>;
    refunded_cents: Generated<number>;
    stock_held: ColumnType<{ productNo: number; quantity: number }[], string | undefined, string>;
    slot_starts_at: MaybeInstantColumn;
    slot_ends_at: MaybeInstantColumn;
    slot_held: Generated<boolean>;
    is_ready: Generated<boolean>;
    driver: ColumnType<unknown, string | undefined, string>;
    driver_stage: Generated<'none' | 'assigned' | 'picked_up' | 'nearby'>;
    cancel_reason: string | null;
    eta: MaybeInstantColumn;
    created_at: InstantColumn;
    placed_at: MaybeInstantColumn;
    confirm_by: MaybeInstantColumn;
    completed_at: MaybeInstantColumn;
    canceled_at: MaybeInstantColumn;
    favorited: Generated<boolean>;
    customer_order_id: string | null;
    last_sequence: Generated<number>;
  };
  order_events: {
    order_id: string;
    sequence: number;
    type: string;
    at: InstantColumn;
    data: JsonColumn<unknown>;
    dispatched: Generated<boolean>;
  };
  sandbox_gateway_cards: {
    token: string;
    brand: string;
    last4: string;
    charge_status: 'succeeded' | 'declined';
    decline_code: string | null;
    loses_answer: boolean;
    created_at: InstantColumn;
  };
  sandbox_gateway_charges: {
    charge_id: string;
    idempotency_key: string;
    order_id: string;
    card_token: string;
    amount: number;
    currency: 'usd' | 'cad';
    refunded_amount: Generated<number>;
    status: 'succeeded' | 'declined';
    decline_code: string | null;
    created_at: InstantColumn;
  };
  sandbox_gateway_refunds: {
    idempotency_key: string;
    refund_id: string;
    charge_id: string;
    amount: number;
    created_at: InstantColumn;
  };
};
