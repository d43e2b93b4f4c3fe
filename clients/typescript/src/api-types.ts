/**
 * The types and the operations of the service's API, for account keys. `npm run client-types` writes this file from the
 * service's description; a test fails where the two differ.
 */

/**
 * What an order would cost and when it would come; or, alone, why there is none.
 */
export type Quote = FullQuote | QuoteError;
/**
 * A step of an order; `type` tells which.
 */
export type OrderEvent =
  | OrderPlacedEvent
  | OrderConfirmedEvent
  | OrderDelayedEvent
  | OrderItemChangedEvent
  | OrderWeighedEvent
  | OrderUpdatedEvent
  | OrderReadyEvent
  | OrderDriverAssignedEvent
  | OrderPickedUpEvent
  | OrderDriverNearbyEvent
  | OrderCompletedEvent
  | OrderCapturedEvent
  | OrderHoldDeclinedEvent
  | OrderCanceledEvent
  | OrderRefundedEvent
  | OrderTippedEvent;

/**
 * What the client adds to the receipt.
 */
export interface AddedFees {
  /**
   * Cents. `added_fee_flat` of the request.
   */
  flat_fee_cents: number;
  /**
   * `added_fee_percent` of the request.
   */
  percent_fee: number;
  is_fee_taxable: boolean;
  /**
   * Cents. The fee.
   */
  total_fee_cents: number;
  /**
   * Cents. On marked prices and, where taxable, on the fee.
   */
  sales_tax_cents: number;
  /**
   * The taxes that `sales_tax_cents` is the sum of.
   */
  taxes: Tax[];
}
/**
 * One of the taxes of an order.
 */
export interface Tax {
  /**
   * Such as `QST`.
   */
  name: string;
  /**
   * Cents. Rounded once.
   */
  amount: number;
}
/**
 * What one store has of a cart, and what that costs.
 */
export interface Cart {
  /**
   * For inventory and quote requests.
   */
  store_id: string;
  store: FoundStore;
  /**
   * By each line of the query: first the product that the cart is priced with, then up to 4 others. Lines that the cart lacks are left out.
   */
  products: {
    [k: string]: CartProduct[];
  };
  /**
   * Whether the cart is priced for pickup; else for delivery.
   */
  pickup: boolean;
  /**
   * Cents. All products of the cart.
   */
  subtotal: number;
  /**
   * Cents. For the whole cart.
   */
  delivery_fee_cents: number;
  /**
   * Cents. For the whole cart.
   */
  service_fee_cents: number;
  /**
   * Cents. Zero unless the subtotal is under what the store calls a small order.
   */
  small_order_fee_cents: number;
  /**
   * Cents. Of the cart and its taxable fees.
   */
  sales_tax_cents: number;
  /**
   * The taxes that `sales_tax_cents` is the sum of.
   */
  taxes: Tax[];
  /**
   * Cents. Promotions that apply by themselves to any cart; absent without one. The total is after them.
   */
  discount_cents?: number;
  /**
   * Cents. What the cart costs in all before a tip: what an order of it would be charged.
   */
  grand_total: number;
  /**
   * Whether it has every line.
   */
  is_full_cart: boolean;
  /**
   * The lines that are not in this cart.
   */
  missing: string[];
  /**
   * Cents. The subtotal from which the store takes orders.
   */
  order_minimum: number;
  /**
   * Whether the subtotal is no less.
   */
  meets_order_minimum: boolean;
}
/**
 * Where a product or a cart was found.
 */
export interface FoundStore {
  /**
   * What it is called.
   */
  name: string;
  address: StoreAddress;
  /**
   * By the published hours, in the store's own time zone. The quote decides.
   */
  is_open: boolean;
  /**
   * Great-circle distance from the place that was searched near, two decimals.
   */
  miles: number;
}
/**
 * Where a store is.
 */
export interface StoreAddress {
  /**
   * House number and street.
   */
  street_addr: string;
  city: string;
  /**
   * State or province, two letters.
   */
  state: string;
  zipcode: string;
  /**
   * `US` or `CA`.
   */
  country: string;
  /**
   * Suite, unit and the like; may be empty.
   */
  street_addr_2: string;
  /**
   * Degrees north.
   */
  latitude: number;
  /**
   * Degrees east.
   */
  longitude: number;
}
/**
 * A product that answers a line of a cart. `unit_price` only where its size says it.
 */
export interface CartProduct {
  /**
   * For inventory and quote requests.
   */
  store_id: string;
  store: FoundStore;
  /**
   * What the product is called.
   */
  name: string;
  /**
   * Opaque. Sent to order it, or to read its details.
   */
  product_id: string;
  /**
   * Cents for one, without options, in the requested mode; else for delivery, or for pickup where it is not delivered.
   */
  price: number;
  /**
   * Cents when it is not on sale; else equal to the price.
   */
  original_price: number;
  /**
   * The price to be shown, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * A URL.
   */
  image: string | null;
  /**
   * How much one is, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * Such as `lb`, `oz` or `ct`; may be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Absent of a product that is sold by the piece.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * Of goods by weight: the price with what it is for, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * Cents. Of goods by weight that are sold by the piece: about what one costs.
   */
  estimated_piece_price?: number;
  /**
   * As the store's feed has it; null where it has none.
   */
  upc_code: string | null;
  /**
   * Of the product with its default options. Null where nothing is known.
   */
  food: Food | null;
  /**
   * Name of the store's category that it stands in.
   */
  category: string;
  /**
   * How many of it the line orders; of goods by weight how much, in their unit: a decimal of at most three places.
   */
  quantity: number;
  /**
   * Of goods by weight that the line orders by the piece.
   */
  pieces?: number;
  /**
   * Cents. Of goods by weight: the whole line, until it is weighed.
   */
  estimated_price?: number;
  /**
   * Cents. For one, with the cheapest way to meet its required choices; carts are priced by it.
   */
  min_price: number;
}
/**
 * The price of a weight or a volume, as shelves of the country show it: where `unit_size` and `unit_of_measurement` say it, from half a cent.
 */
export interface UnitPrice {
  /**
   * Cents. For `per` units, rounded once.
   */
  cents: number;
  /**
   * 1, or 100 of `g` and `ml`.
   */
  per: number;
  unit: 'lb' | 'oz' | 'fl oz' | 'gal' | 'g' | 'kg' | 'ml' | 'L';
}
/**
 * How a product is sold by weight: decimals of at most three places.
 */
export interface Weight {
  unit: 'lb' | 'oz' | 'kg' | 'g';
  /**
   * How much of the unit its prices are for.
   */
  price_per: number;
  /**
   * Orders are multiples of it.
   */
  step: number;
  /**
   * The least of an order.
   */
  min: number;
  /**
   * The most of an order.
   */
  max: number;
  /**
   * About what one piece weighs; absent where it is not sold by the piece.
   */
  piece_weight?: number;
  /**
   * By how much more than ordered the store may hand over.
   */
  tolerance_percent: number;
}
/**
 * What is in the food, as far as the store tells. Unknown is never none.
 */
export interface Food {
  /**
   * What it contains. Null where unknown; empty where there are none.
   */
  allergens:
    | (
        | 'milk'
        | 'eggs'
        | 'fish'
        | 'crustaceans'
        | 'tree_nuts'
        | 'peanuts'
        | 'wheat'
        | 'soybeans'
        | 'sesame'
        | 'mustard'
        | 'molluscs'
        | 'sulphites'
      )[]
    | null;
  /**
   * Traces that it may contain beside `allergens`. Null where unknown; empty where there are none.
   */
  may_contain:
    | (
        | 'milk'
        | 'eggs'
        | 'fish'
        | 'crustaceans'
        | 'tree_nuts'
        | 'peanuts'
        | 'wheat'
        | 'soybeans'
        | 'sesame'
        | 'mustard'
        | 'molluscs'
        | 'sulphites'
      )[]
    | null;
  /**
   * Diets that it is made for. Null where unknown; empty where there are none.
   */
  diets: ('vegan' | 'vegetarian' | 'gluten_free' | 'halal' | 'kosher')[] | null;
  /**
   * Null where unknown.
   */
  nutrition: Nutrition | null;
  /**
   * Where all of it comes from, in words of the feed.
   */
  source: string | null;
}
/**
 * Of one unit as it is sold.
 */
export interface Nutrition {
  /**
   * Kilocalories. Null where unknown.
   */
  calories: number | null;
  /**
   * Grams. All fat. Null where unknown.
   */
  fat: number | null;
  /**
   * Grams. Of the fat. Null where unknown.
   */
  saturated_fat: number | null;
  /**
   * Grams. Of the fat. Null where unknown.
   */
  trans_fat: number | null;
  /**
   * Grams. Labels have milligrams. Null where unknown.
   */
  cholesterol: number | null;
  /**
   * Grams. Labels have milligrams. One gram of salt has 0.4. Null where unknown.
   */
  sodium: number | null;
  /**
   * Grams. All carbohydrate, fiber and sugars included. Null where unknown.
   */
  carbohydrates: number | null;
  /**
   * Grams. Of the carbohydrates. Null where unknown.
   */
  fiber: number | null;
  /**
   * Grams. Of the carbohydrates. Null where unknown.
   */
  sugars: number | null;
  /**
   * Grams. Of the sugars. Null where unknown.
   */
  added_sugars: number | null;
  /**
   * Grams. All protein. Null where unknown.
   */
  protein: number | null;
}
/**
 * A category of an inventory.
 */
export interface Category {
  name: string;
  /**
   * Opaque. Sent to read the next level of this category.
   */
  subcategory_id: string;
  /**
   * Whether it has levels below; otherwise it has the products.
   */
  has_subcategories: boolean;
  /**
   * Products on sale in the mode, in it and in all below it.
   */
  product_count: number;
  /**
   * Empty in a grocery unless a category without subcategories is requested.
   */
  menu_item_list: MenuItem[];
  /**
   * The level below; with `category_tree` alone.
   */
  subcategories?: Category[];
}
/**
 * A product as the inventory lists it. `unit_price` only where its size says it.
 */
export interface MenuItem {
  name: string;
  /**
   * Cents. For one, without options, in the requested mode.
   */
  price: number;
  /**
   * Cents. The price with the cheapest way to meet the required choices.
   */
  min_price: number;
  /**
   * Cents. What it costs when it is not on sale; else equal to the price.
   */
  original_price: number;
  /**
   * The price to be shown, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * How many are left; null where stock is not counted.
   */
  qty_available: number | null;
  /**
   * How much one is, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * Such as `lb`, `oz` or `ct`; may be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Absent of a product that is sold by the piece.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * Of goods by weight: the price with what it is for, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * Cents. Of goods by weight that are sold by the piece: about what one costs.
   */
  estimated_piece_price?: number;
  /**
   * Opaque. Sent to order it, or to read its details.
   */
  product_id: string;
  /**
   * What it is for taxes.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * Of the product with its default options; each option has facts of its own. Null where nothing is known.
   */
  food: Food | null;
  /**
   * Always false: images come as they are.
   */
  supports_image_scaling: boolean;
  /**
   * May be empty.
   */
  description: string;
  /**
   * A URL; absent where there is none.
   */
  image?: string;
  /**
   * A URL; absent where there is none.
   */
  thumbnail_image?: string;
  /**
   * Empty where there are none, and where they must be fetched.
   */
  customizations: Customization[];
  /**
   * True where there are too many to list here: product details have them.
   */
  should_fetch_customizations: boolean;
  /**
   * Whether one can be ordered now: in stock and within its menu hours.
   */
  is_available: boolean;
  /**
   * Outside its menu hours: when they next begin, in epoch seconds; null for never. Absent otherwise.
   */
  available_at?: number | null;
}
/**
 * A choice that a product, or an option of one, offers.
 */
export interface Customization {
  name: string;
  /**
   * The fewest different options to choose.
   */
  min_choice_options: number;
  /**
   * The most different options to choose.
   */
  max_choice_options: number;
  /**
   * The fewest units, which are the quantities of its options added up; absent: any.
   */
  min_total_units?: number;
  /**
   * The most units; absent: any.
   */
  max_total_units?: number;
  options: Option[];
  customization_id: string;
}
/**
 * Something that can be chosen.
 */
export interface Option {
  name: string;
  /**
   * Cents. For one of it, on top of the product.
   */
  price: number;
  /**
   * The price to be shown, such as `$1.50`.
   */
  formatted_price: string;
  /**
   * What is to be chosen once this option is, to any depth.
   */
  customizations: Customization[];
  /**
   * How many a menu shows as chosen from the start.
   */
  default_qty: number;
  /**
   * The fewest of it, where it is chosen.
   */
  min_qty: number;
  /**
   * The most of it.
   */
  max_qty: number;
  /**
   * Prices in cents by `option_id` of another option: what this one costs where that one is chosen too; the highest if several are.
   */
  conditional_price: {
    [k: string]: number;
  };
  /**
   * Sent in `selected_options` to order it.
   */
  option_id: string;
  /**
   * Where it is another than the product's.
   */
  tax_class?: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * Of the option by itself; null where nothing is known.
   */
  food: Food | null;
}
/**
 * A charge in the books of the sandbox gateway.
 */
export interface Charge {
  /**
   * The gateway's own id.
   */
  charge_id: string;
  /**
   * The order it was for.
   */
  order_id: string;
  /**
   * The card; empty where it is not yours.
   */
  payment_method_id: string;
  /**
   * Cents: what was taken, or is to be.
   */
  amount: number;
  /**
   * Cents that the card was to hold; only of a hold.
   */
  authorized_amount?: number;
  /**
   * Cents that were captured; only of a hold.
   */
  captured_amount?: number;
  /**
   * Cents given back.
   */
  refunded_amount: number;
  /**
   * A declined charge took nothing; one in cash is collected at the handover; an authorized one is held and not taken; a voided one held money that was never taken.
   */
  status: 'succeeded' | 'declined' | 'to_collect' | 'authorized' | 'voided';
  /**
   * Epoch seconds.
   */
  timestamp: number;
}
/**
 * A customer who can sign in.
 */
export interface Customer {
  user_id: string;
  /**
   * Absent without one.
   */
  email?: string;
  /**
   * In E.164; absent without one.
   */
  phone?: string;
  /**
   * Absent without one.
   */
  first_name?: string;
  /**
   * Absent without one.
   */
  last_name?: string;
  /**
   * The programs that act for the customer, newest first.
   */
  connections: {
    client_name: string;
    /**
     * Empty for a program on the customer's device.
     */
    client_host: string;
    scope: string;
    /**
     * Absent where it places no orders.
     */
    max_order_cents?: number;
    /**
     * When the customer allowed it, in epoch seconds.
     */
    created_at: number;
  }[];
}
/**
 * What delivery costs.
 */
export interface DeliveryFee {
  /**
   * Cents. Zero for pickup.
   */
  delivery_fee_flat: number;
  /**
   * Percent. Of the subtotal, on top.
   */
  delivery_fee_percent: number;
  delivery_fee_taxable: boolean;
  /**
   * The entry with the largest `minimum_subtotal` that is reached replaces the fee.
   */
  threshold_fees: {
    /**
     * Cents. From this subtotal on.
     */
    minimum_subtotal: number;
    /**
     * Cents. Instead.
     */
    delivery_fee_flat: number;
    /**
     * Percent. Instead.
     */
    delivery_fee_percent: number;
  }[];
}
/**
 * What a promotion takes off an order, and who pays it.
 */
export interface Discount {
  /**
   * `waived` for a total that is too small to charge.
   */
  promotion_id: string;
  /**
   * Up to one promotion applies in each. `waived`: the total was below the minimum of the card gateway, so nothing is charged and the operator pays it.
   */
  slot: 'store' | 'market' | 'delivery' | 'waived';
  /**
   * Its owner's title, or what it does, in the customer's language.
   */
  title: string;
  /**
   * Absent where it needs none.
   */
  code?: string;
  /**
   * Cents. All that it takes off.
   */
  amount: number;
  paid_by: {
    payer: 'store' | 'account' | 'operator';
    /**
     * Cents.
     */
    amount: number;
  }[];
  /**
   * Items by their place in the order; frozen with it.
   */
  lines: {
    index: number;
    /**
     * Cents.
     */
    amount: number;
  }[];
  /**
   * Cents. What of it is off the delivery fee.
   */
  delivery_amount: number;
}
/**
 * One thing that is wrong with a request.
 */
export interface Fault {
  /**
   * The part of the request.
   */
  in: 'query' | 'body' | 'header' | 'path';
  /**
   * The field, such as `items[0].quantity`; `body` where it is all of it.
   */
  name: string;
  /**
   * What is wrong with it, to be read.
   */
  message: string;
}
/**
 * What the order costs, and why.
 */
export interface FinalQuote {
  /**
   * The same as `quote_id`.
   */
  id: string;
  quote_id: string;
  /**
   * The name of the store.
   */
  store: string;
  /**
   * A different store than requested where the order has moved to a substitute.
   */
  store_id: string;
  /**
   * In one line.
   */
  store_address: string;
  quote: FinalQuoteTotals;
  /**
   * Cents. What marked prices add to `quote.subtotal`; below zero where they are lower. `quote.subtotal`, this, the three fees and the tax of `quote`, `added_fees` with its tax, `misc_fees` and `tip`, less `discount_cents`, add up to `total_with_tip`.
   */
  markup_cents: number;
  /**
   * Cents. The sum of `discounts`, and of what goods by weight cost above the most that is paid; absent without any.
   */
  discount_cents?: number;
  /**
   * By slot; absent without any.
   */
  discounts?: Discount[];
  /**
   * Codes of the request that do not apply; absent where all do.
   */
  rejected_codes?: RejectedCode[];
  added_fees: AddedFees;
  misc_fees: MiscFee[];
  /**
   * Cents. The whole tip, also what was added later. Zero for pickup.
   */
  tip: number;
  /**
   * Cents. All that is charged; with goods by weight, an estimate until they are weighed.
   */
  total_with_tip: number;
  /**
   * Cents. With goods by weight, as ordered: the most that is charged, which the card holds. Absent without any.
   */
  at_most_cents?: number;
  /**
   * Set where no card can hold `at_most_cents`: placing takes it, and what the goods weigh less comes back.
   */
  is_taken_now?: true;
  items: QuotedItem[];
}
/**
 * The store's part of the money, and when the order comes.
 */
export interface FinalQuoteTotals {
  /**
   * Cents. The items with their options.
   */
  subtotal: number;
  /**
   * Cents. Zero for pickup.
   */
  delivery_fee_cents: number;
  /**
   * Cents.
   */
  service_fee_cents: number;
  /**
   * Cents.
   */
  small_order_fee_cents: number;
  /**
   * Cents. Without the tax of added fees.
   */
  sales_tax_cents: number;
  /**
   * The taxes that `sales_tax_cents` is the sum of.
   */
  taxes: Tax[];
  /**
   * Minutes.
   */
  delivery_time_min: number;
  /**
   * Minutes.
   */
  delivery_time_max: number;
  /**
   * The same as `delivery_time_min`.
   */
  time_min: number;
  /**
   * The same as `delivery_time_max`.
   */
  time_max: number;
  /**
   * Cents. The subtotal, the three fees and the tax, less discounts.
   */
  total_without_tips: number;
  /**
   * Cents. The same as `total_without_tips`.
   */
  total: number;
  /**
   * In the time zone of the delivery address, or of the store for pickup, such as `06:45 PM`.
   */
  expected_time_of_arrival: string;
  scheduled: OrderSlot;
}
/**
 * The slot of a scheduled order; empty for one as soon as possible.
 */
export interface OrderSlot {
  /**
   * The `scheduled_id`.
   */
  id?: string;
  /**
   * When the slot begins, in epoch seconds.
   */
  minimum?: number;
  /**
   * When it ends, in epoch seconds.
   */
  maximum?: number;
}
/**
 * A code that does not apply.
 */
export interface RejectedCode {
  /**
   * As it was entered, in capital letters.
   */
  code: string;
  /**
   * Why; `not_valid` is a code that there is not, or that has ended.
   */
  reason:
    | 'not_valid'
    | 'not_yet'
    | 'wrong_store'
    | 'wrong_mode'
    | 'wrong_time'
    | 'minimum_not_met'
    | 'no_matching_items'
    | 'only_alcohol'
    | 'first_order_only'
    | 'already_used'
    | 'used_up'
    | 'nothing_to_discount'
    | 'better_offer_applied'
    | 'duplicate';
  /**
   * With `minimum_not_met`: what the items lack of it.
   */
  missing_cents?: number;
}
/**
 * Another fee.
 */
export interface MiscFee {
  fee_name: string;
  /**
   * Cents.
   */
  fee_amount: number;
}
/**
 * An item of an order, as it was quoted.
 */
export interface QuotedItem {
  name: string;
  /**
   * Cents. For one, without options; of goods by weight, for `price_per`.
   */
  base_price: number;
  /**
   * Whole, but of goods by weight.
   */
  quantity: number;
  /**
   * A URL; empty where there is none.
   */
  image: string;
  product_id: string;
  /**
   * What it is for taxes.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * Absent of goods by the piece.
   */
  sold_by?: 'weight';
  /**
   * Of its quantities. Absent of goods by the piece.
   */
  unit?: 'lb' | 'oz' | 'kg' | 'g';
  /**
   * How much of `unit` its price is for. Absent of goods by the piece.
   */
  price_per?: number;
  /**
   * As ordered; absent where a weight was.
   */
  pieces?: number;
  /**
   * The most weight that is charged. Absent of goods by the piece.
   */
  max_quantity?: number;
  /**
   * Cents. What discounts take off all units; absent without any.
   */
  discount_cents?: number;
  /**
   * Cents. Where the menu has a lower price: the price of one without it. `unit_price` is the lower one.
   */
  list_unit_price?: number;
  customizations: QuotedCustomization[];
}
/**
 * A choice, and what was chosen.
 */
export interface QuotedCustomization {
  name: string;
  customization_id: string;
  selected_options: QuotedOption[];
}
/**
 * An option that was chosen.
 */
export interface QuotedOption {
  name: string;
  /**
   * Cents. For one of it, as it counts in this order.
   */
  price: number;
  quantity: number;
  default_qty: number;
  option_id: string;
  /**
   * What was chosen with it.
   */
  customizations: QuotedCustomization[];
}
/**
 * What was forgotten of a user.
 */
export interface ForgottenUser {
  /**
   * Orders whose personal data is gone.
   */
  orders: number;
  /**
   * Unplaced orders that are gone.
   */
  unplaced_orders: number;
  /**
   * Cards that are deleted here and at the gateway.
   */
  cards: number;
  /**
   * Whether nothing is left. If not, repeat the request: it does 1,000 orders.
   */
  is_complete: boolean;
}
/**
 * A product that answers a search. `unit_price` only where its size says it.
 */
export interface FoundProduct {
  /**
   * For inventory and quote requests.
   */
  store_id: string;
  store: FoundStore;
  /**
   * What the product is called.
   */
  name: string;
  /**
   * Opaque. Sent to order it, or to read its details.
   */
  product_id: string;
  /**
   * Cents for one, without options, in the requested mode; else for delivery, or for pickup where it is not delivered.
   */
  price: number;
  /**
   * Cents when it is not on sale; else equal to the price.
   */
  original_price: number;
  /**
   * The price to be shown, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * A URL.
   */
  image: string | null;
  /**
   * How much one is, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * Such as `lb`, `oz` or `ct`; may be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Absent of a product that is sold by the piece.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * Of goods by weight: the price with what it is for, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * Cents. Of goods by weight that are sold by the piece: about what one costs.
   */
  estimated_piece_price?: number;
  /**
   * As the store's feed has it; null where it has none.
   */
  upc_code: string | null;
  /**
   * Of the product with its default options. Null where nothing is known.
   */
  food: Food | null;
  /**
   * Name of the store's category that it stands in.
   */
  category: string;
}
/**
 * The terms on which the store takes an order now.
 */
export interface FullQuote {
  time_estimate: TimeEstimate;
  /**
   * Percent. All taxes on the store's default class together.
   */
  sales_tax_percent: number;
  /**
   * The rates of the taxes of the store, each on its own classes.
   */
  taxes: TaxRate[];
  /**
   * Cents. The least subtotal that the store takes.
   */
  order_minimum: number;
  delivery_fee: DeliveryFee;
  service_fee: ServiceFee;
  small_order_fee: SmallOrderFee;
  /**
   * Whether it takes orders as soon as possible; where not, those for a slot of `scheduled`.
   */
  asap_available: boolean;
  address: QuoteAddress;
  /**
   * By the store itself. Exactly one of the three is true.
   */
  first_party_quote: boolean;
  /**
   * By a marketplace.
   */
  third_party_quote: boolean;
  /**
   * By a courier.
   */
  courier_quote: boolean;
}
/**
 * When an order would come, or be ready.
 */
export interface TimeEstimate {
  /**
   * Minutes from now, for an order as soon as possible.
   */
  minimum: number;
  /**
   * Minutes from now.
   */
  maximum: number;
  /**
   * The slots that can be ordered for in this mode.
   */
  scheduled: Slot[];
}
/**
 * A delivery or pickup slot that an order can be scheduled for.
 */
export interface Slot {
  /**
   * Opaque. Sent as `scheduled_id` to order for this slot.
   */
  id: string;
  /**
   * When the slot begins, in epoch seconds.
   */
  minimum: number;
  /**
   * When it ends, in epoch seconds.
   */
  maximum: number;
  /**
   * What delivery in this slot costs.
   */
  delivery_fee: {
    /**
     * Cents. Zero for pickup.
     */
    delivery_fee_flat: number;
    /**
     * Percent. Of the subtotal.
     */
    delivery_fee_percent: number;
    delivery_fee_taxable: boolean;
  };
}
/**
 * A rate of a tax of the store. Rates of one name are one tax.
 */
export interface TaxRate {
  /**
   * Such as `QST`.
   */
  name: string;
  /**
   * Percent. Of what is taxable; a tax is rounded once.
   */
  percent: number;
  /**
   * What it is on; absent: every class but `exempt`.
   */
  classes?: ('prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt')[];
}
/**
 * What the service costs.
 */
export interface ServiceFee {
  /**
   * Cents. Zero for pickup in most stores.
   */
  service_fee_flat: number;
  /**
   * Percent. Of the subtotal, on top.
   */
  service_fee_percent: number;
  /**
   * Cents. It is not less.
   */
  service_fee_min: number;
  /**
   * Cents. It is not more; absent where there is no bound.
   */
  service_fee_max?: number;
  service_fee_taxable: boolean;
}
/**
 * What a small order pays.
 */
export interface SmallOrderFee {
  /**
   * Cents. A subtotal under it pays the fee.
   */
  minimum_order_value: number;
  /**
   * Cents. Added once.
   */
  small_order_fee_flat: number;
  /**
   * Percent. Of the subtotal, on top.
   */
  small_order_fee_percent: number;
}
/**
 * Where the store is.
 */
export interface QuoteAddress {
  street_num: string;
  street_name: string;
  city: string;
  zipcode: string;
  state: string;
  country: string;
}
/**
 * What a store sells in one mode, or one level of it. `quote` only with `include_quote`; `quote_error` only beside a quote that has an `error`.
 */
export interface Inventory {
  quote?: Quote;
  quote_error?: QuoteFailure;
  /**
   * Promotions that the store lists now; absent without one.
   */
  offers?: Offer[];
  /**
   * Changes when, and only when, what the inventory shows changes.
   */
  menu_id: string;
  categories: Category[];
}
/**
 * The store takes no order of this kind now.
 */
export interface QuoteError {
  /**
   * Why there is no quote.
   */
  error:
    | 'Delivery is currently unavailable for this store.'
    | 'Pickup is currently unavailable for this store.'
    | 'This store is closed.'
    | 'This store is out of range for the provided address.'
    | 'This store is not available.';
}
/**
 * Beside a `quote` that holds only `error`: why there is none, and until when.
 */
export interface QuoteFailure {
  /**
   * The type of the error.
   */
  code: 'DELIVERY_NOT_AVAILABLE' | 'PICKUP_NOT_AVAILABLE' | 'STORE_CLOSED' | 'OUT_OF_RANGE' | 'STORE_NOT_AVAILABLE';
  /**
   * When the mode can be ordered next, in epoch seconds: once the store opens or a pause ends, or a slot is offered. Null if unknown.
   */
  available_at: number | null;
}
/**
 * A promotion that a store lists.
 */
export interface Offer {
  promotion_id: string;
  /**
   * What it offers, for people: its title, or its terms and conditions in English.
   */
  text: string;
  /**
   * The text in French and Spanish; absent for a title, which is never translated.
   */
  translations?: {
    fr: string;
    es: string;
  };
  /**
   * To be entered; absent where it applies by itself.
   */
  code?: string;
  /**
   * Epoch seconds. When it ends; null where that is open.
   */
  ends_at: number | null;
}
/**
 * An order as it stands.
 */
export interface Order {
  order_id: string;
  /**
   * The short number that store and customer call the order by, such as `A17`: unique within the store, its local day, and live or sandbox orders. Absent while unplaced.
   */
  order_number?: string;
  pickup: boolean;
  /**
   * Cents. The whole tip, also what was added later. Zero for pickup.
   */
  driver_tip_cents: number;
  /**
   * Absent where it was not given, such as for pickup.
   */
  user_latitude?: number;
  /**
   * Absent where it was not given, such as for pickup.
   */
  user_longitude?: number;
  user_street_num: string;
  user_street_name: string;
  user_apt_num: string;
  user_city: string;
  user_state: string;
  user_zipcode: string;
  user_country: string;
  /**
   * `time_zone` where it was not given.
   */
  user_time_zone: string;
  /**
   * Of the customer's pages and messages; absent where it is the account's.
   */
  user_language?: 'en' | 'fr' | 'es';
  user_dropoff_notes: string;
  user_pickup_notes: string;
  /**
   * How it is handed over; absent where nothing was chosen.
   */
  drop_off?: {
    /**
     * Of a delivery.
     */
    where: 'hand_to_me' | 'leave_at_door' | 'meet_outside';
    /**
     * Whether the customer wants utensils.
     */
    utensils: boolean;
    /**
     * If `true`, the customer's order page shows a four-digit PIN, which is required as `code` to complete the order.
     */
    code: boolean;
  };
  user_name: string;
  /**
   * With the country code; absent where it was not given.
   */
  user_phone?: number;
  /**
   * Dialed after the call is answered; absent without one.
   */
  user_phone_extension?: string;
  scheduled: OrderSlot;
  /**
   * When it is expected, in epoch seconds.
   */
  eta_timestamp: number;
  /**
   * When it was placed (or created, while unplaced), in epoch seconds.
   */
  timestamp: number;
  /**
   * The IANA name of the clock of its times: that of its door, at a pickup of its store.
   */
  time_zone: string;
  tracking: Tracking;
  /**
   * `unplaced`: only quoted. `awaiting_confirmation`: placed; the store has not confirmed it yet. `in_progress`: confirmed; being prepared, or the driver is under way. `completed`: delivered or picked up. `canceled`: refunded in full.
   */
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  favorited: boolean;
  /**
   * Whether the store has marked the order ready.
   */
  is_ready: boolean;
  /**
   * True for deliveries.
   */
  realtime_tracking_available: boolean;
  /**
   * Of the request.
   */
  quote_preference: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * Who delivers: the store, a marketplace or a courier. Absent for pickup.
   */
  delivery_party?: 'first' | 'third' | 'courier';
  /**
   * Why it was canceled; absent where it was not, or nobody has said.
   */
  cancel_reason?: string;
  /**
   * Whether `total_with_tip` is an estimate: until its goods by weight have left the store. Absent without any.
   */
  is_estimate?: boolean;
  /**
   * Whether it was made with a sandbox key.
   */
  is_sandbox: boolean;
  /**
   * Where its store took it, such as by phone.
   */
  placed_by?: 'store';
  /**
   * Cents. Of an order that is paid at the handover, until then: what the customer pays. Absent for any other.
   */
  to_collect_cents?: number;
  /**
   * Cents. What was collected at the handover, which may differ from what was due. Absent until then.
   */
  collected_cents?: number;
  /**
   * Who collected it, and hands refunds back. Absent until then.
   */
  collected_by?: 'driver' | 'store';
  items: OrderItem[];
  final_quote: OrderQuote;
  /**
   * `final_quote` at the weights of the scale, which adds up to what is taken; null until all is weighed. Absent without goods by weight.
   */
  weighed_quote?: OrderQuote | null;
  /**
   * Cents that the card holds, or held until they were captured. Null without a hold: not yet, no longer, or with a gateway that cannot hold. Absent without goods by weight.
   */
  authorized_cents?: number | null;
  /**
   * Cents that were taken of what was held; null until then. Absent without goods by weight.
   */
  captured_cents?: number | null;
  user_email: string;
  /**
   * Your own id of the user.
   */
  user_id: string;
  /**
   * Share it with the customer only: its `key`, which keys without the scope `order` do not get, lets them cancel, if the account allows that.
   */
  tracking_link: string;
  /**
   * While unplaced, for keys with the scope `order`: a page on which the customer reviews, pays and places the order. Works until then, for at most 24 hours.
   */
  checkout_url?: string;
  /**
   * Cents. All that is charged: the total of the quote, and what was added to the tip later. With goods by weight an estimate, then all that was taken.
   */
  total_with_tip: number;
  /**
   * Of the request; may be empty. Absent for a publishable key.
   */
  customer_order_id?: string;
  /**
   * Cents. Marked prices and the added fee, less what the account pays of discounts: what is left for the client. Of goods by weight an estimate, as `total_with_tip`. Absent for a publishable key.
   */
  profit?: number;
  /**
   * Cents. Given back to the card: `total_with_tip` less this is what the customer paid. Without what goods by weight cost less than was taken at placing.
   */
  refunded_amount: number;
  /**
   * Cents. What missing items and substitutes have taken off `total_with_tip`; it is part of `refunded_amount` where the card was charged.
   */
  adjusted_amount: number;
  /**
   * Of the request, as it was. Absent for a publishable key.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * The program that prepared it for a customer who signed in (`/docs/sign-in`); absent without one, and in events.
   */
  agent?: {
    client_name: string;
    /**
     * Empty for a program on the device of the customer.
     */
    client_host: string;
  };
  /**
   * To the customer, oldest first; absent without `include=messages`.
   */
  messages?: OrderMessage[];
}
/**
 * The driver: a member is there once its value is known; empty for pickup.
 */
export interface Tracking {
  driver_latitude?: number;
  driver_longitude?: number;
  /**
   * Degrees from north.
   */
  course?: number;
  /**
   * Epoch seconds of the position.
   */
  last_update_timestamp?: number;
  /**
   * Epoch seconds of the delivery.
   */
  completion_timestamp?: number;
  /**
   * Such as `car`.
   */
  vehicle_type?: string;
  driver_name?: string;
  /**
   * Digits only, country code first.
   */
  driver_phone?: number;
  driver_photo_url?: string;
  driver_rating?: number;
}
/**
 * An item as it was ordered, and as the store hands it over.
 */
export interface OrderItem {
  /**
   * Of what was ordered.
   */
  name: string;
  /**
   * Of the substitute, where the store hands one over.
   */
  product_id: string;
  /**
   * A URL of what was ordered; empty where there is none.
   */
  image: string;
  /**
   * As ordered. Whole, but of goods by weight.
   */
  quantity: number;
  /**
   * The same as `quantity`.
   */
  ordered_quantity: number;
  /**
   * The units that the store hands over: fewer than were ordered, or 0, where it lacks the item. Of goods by weight, the scale's weight; until then as ordered.
   */
  fulfilled_quantity: number;
  /**
   * Cents. The store's price of one as it was ordered, with its options. Of goods by weight, for `price_per`, without them.
   */
  unit_price: number;
  /**
   * Cents. Of all units as they were ordered: together the `subtotal`. Of goods by weight, the estimate.
   */
  total_price: number;
  /**
   * Absent of goods by the piece.
   */
  sold_by?: 'weight';
  /**
   * Of its quantities. Absent of goods by the piece.
   */
  unit?: 'lb' | 'oz' | 'kg' | 'g';
  /**
   * How much of `unit` its price is for. Absent of goods by the piece.
   */
  price_per?: number;
  /**
   * As ordered; absent where a weight was.
   */
  pieces?: number;
  /**
   * The most weight that is charged. Absent of goods by the piece.
   */
  max_quantity?: number;
  /**
   * Absent of goods by the piece.
   */
  is_weighed?: boolean;
  /**
   * `label_price`: computed from the price of a label. `limit`: it weighed more, and the rest is free. Absent until weighed.
   */
  weight_from?: 'scale' | 'label' | 'label_price' | 'limit';
  /**
   * Cents, of goods by weight: at the weight of the scale; null until then.
   */
  final_price?: number | null;
  /**
   * The `product_id` that was ordered, where a substitute is handed over; else null.
   */
  substituted_for: string | null;
  /**
   * What the customer wants where the store lacks the item; `product_ids` only with `specific`.
   */
  substitution: {
    preference: 'store_choice' | 'specific' | 'refund';
    product_ids?: string[];
  };
  /**
   * What it is for taxes.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * Every option that was ordered, including those that `autofill_selected_options` chose. Of a substitute, the options that its menu requires.
   */
  selected_options: {
    option_id: string;
    quantity: number;
    name: string;
    /**
     * Cents. For one of it, as it counts in this order.
     */
    price: number;
    customization_name: string;
    /**
     * The option that it belongs to, and counts once for each of; absent without one.
     */
    parent_option_id?: string;
  }[];
  notes: string;
  /**
   * Cents. What discounts take off all units; absent without any.
   */
  discount_cents?: number;
  /**
   * Cents. Where the menu has a lower price: the price of one without it. `unit_price` is the lower one.
   */
  list_unit_price?: number;
  /**
   * Cents. Where marked prices were sent: the price of one on the receipt, with its options.
   */
  marked_unit_price?: number;
  /**
   * Of the substitute that the store hands over; absent without one.
   */
  substitute_name?: string;
}
/**
 * What the order costs, and why, as it was ordered.
 */
export interface OrderQuote {
  /**
   * The same as `quote_id`.
   */
  id: string;
  quote_id: string;
  /**
   * The name of the store.
   */
  store: string;
  /**
   * A different store than requested where the order has moved to a substitute.
   */
  store_id: string;
  /**
   * In one line.
   */
  store_address: string;
  quote: FinalQuoteTotals;
  /**
   * Cents. What marked prices add to `quote.subtotal`; below zero where they are lower. `quote.subtotal`, this, the three fees and the tax of `quote`, `added_fees` with its tax, `misc_fees` and `tip`, less `discount_cents`, add up to `total_with_tip`.
   */
  markup_cents: number;
  /**
   * Cents. The sum of `discounts`, and of what goods by weight cost above the most that is paid; absent without any.
   */
  discount_cents?: number;
  /**
   * By slot; absent without any.
   */
  discounts?: Discount[];
  /**
   * Codes of the request that do not apply; absent where all do.
   */
  rejected_codes?: RejectedCode[];
  added_fees: AddedFees;
  misc_fees: MiscFee[];
  /**
   * Cents. The whole tip, also what was added later. Zero for pickup.
   */
  tip: number;
  /**
   * Cents. All that is charged; with goods by weight, an estimate until they are weighed.
   */
  total_with_tip: number;
  /**
   * Cents. With goods by weight, as ordered: the most that is charged, which the card holds. Absent without any.
   */
  at_most_cents?: number;
  /**
   * Set where no card can hold `at_most_cents`: placing takes it, and what the goods weigh less comes back.
   */
  is_taken_now?: true;
}
/**
 * An SMS or email to the customer of an order.
 */
export interface OrderMessage {
  message_id: string;
  channel: 'sms' | 'email';
  /**
   * Such as `order_placed`.
   */
  kind: string;
  /**
   * Masked: `…0123` or `a…@example.com`.
   */
  to: string;
  /**
   * `pending`: it is being sent.
   */
  state: 'sent' | 'pending' | 'not_sent';
  /**
   * With `not_sent`, else absent. `over_budget`: beyond a daily budget of the account. `out_of_reach`: SMS do not go to this number. `opted_out`: its holder has answered STOP. `failed`: the mail server or the SMS provider has not taken it.
   */
  reason?: 'sandbox' | 'over_budget' | 'out_of_reach' | 'opted_out' | 'failed';
  /**
   * Of what it tells, in epoch seconds.
   */
  timestamp: number;
  /**
   * Epoch seconds; absent where it was not sent.
   */
  sent_at?: number;
}
/**
 * The order is canceled. A refund is an event of its own.
 */
export interface OrderCanceledEvent {
  type: 'order.canceled';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    /**
     * The `cancel_reason` of the order, as it was said. Absent where the log has no detail.
     */
    reason?: string;
    order: Order;
  };
}
/**
 * What an order with goods by weight came to was taken of what its card held, and the rest is free.
 */
export interface OrderCapturedEvent {
  type: 'order.captured';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    /**
     * Null where it could not be taken.
     */
    captured_cents: number | null;
    /**
     * Cents. What the card held.
     */
    authorized_cents: number;
    order: Order;
  };
}
/**
 * The order is delivered, or the customer has picked it up.
 */
export interface OrderCompletedEvent {
  type: 'order.completed';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The store has confirmed the order.
 */
export interface OrderConfirmedEvent {
  type: 'order.confirmed';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The store needs longer for the order. Its times have moved.
 */
export interface OrderDelayedEvent {
  type: 'order.delayed';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    /**
     * When the customer was to have the order, in epoch seconds.
     */
    from: number;
    /**
     * When it is now, in epoch seconds; the same where a scheduled order keeps its slot.
     */
    to: number;
    /**
     * Absent where the store gave none.
     */
    reason?: string;
    order: Order;
  };
}
/**
 * The delivery has a driver.
 */
export interface OrderDriverAssignedEvent {
  type: 'order.driver_assigned';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The driver is within 500 meters of the door.
 */
export interface OrderDriverNearbyEvent {
  type: 'order.driver_nearby';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The order is placed. Its store has yet to confirm it.
 */
export interface OrderPlacedEvent {
  type: 'order.placed';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The store hands over less of an item, or a substitute. The difference is refunded.
 */
export interface OrderItemChangedEvent {
  type: 'order.item_changed';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    /**
     * Absent where the log has no detail.
     */
    change?: {
      /**
       * The product that was ordered.
       */
      product_id: string;
      /**
       * The units that the store would have handed over before.
       */
      from_quantity: number;
      /**
       * The units that it hands over now.
       */
      to_quantity: number;
      /**
       * The unit of goods by weight; absent for others.
       */
      unit?: 'lb' | 'oz' | 'kg' | 'g';
      /**
       * What it hands over in place of the product; else absent.
       */
      substitute?: {
        product_id: string;
        name: string;
      };
    };
    order: Order;
  };
}
/**
 * All goods by weight are weighed or missing. It comes again after each correction.
 */
export interface OrderWeighedEvent {
  type: 'order.weighed';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    /**
     * The goods by weight.
     */
    items: {
      /**
       * Of the order's `items`, from 0.
       */
      index: number;
      /**
       * The weight that was ordered.
       */
      ordered: number;
      /**
       * What is handed over, 0 of a missing item.
       */
      weight: number;
      unit: 'lb' | 'oz' | 'kg' | 'g';
      /**
       * Cents. What the line was estimated at.
       */
      estimated_cents: number;
      /**
       * Cents. What it costs.
       */
      cents: number;
    }[];
    /**
     * Cents. What the order was estimated at.
     */
    estimated_total: number;
    /**
     * Cents. What it comes to.
     */
    total: number;
    order: Order;
  };
}
/**
 * Notes, drop-off, apartment, name or phone of the customer have changed.
 */
export interface OrderUpdatedEvent {
  type: 'order.updated';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    /**
     * What has changed, by its name in `/order/update`.
     */
    changed: ('user_name' | 'user_phone' | 'user_apt_num' | 'user_dropoff_notes' | 'user_pickup_notes' | 'drop_off')[];
    order: Order;
  };
}
/**
 * The store has the order ready, for the customer or the driver.
 */
export interface OrderReadyEvent {
  type: 'order.ready';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The driver has picked the order up at the store.
 */
export interface OrderPickedUpEvent {
  type: 'order.picked_up';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The card would not hold the money of an order any longer. Without another one the order is canceled.
 */
export interface OrderHoldDeclinedEvent {
  type: 'order.hold_declined';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * Money was refunded to the card.
 */
export interface OrderRefundedEvent {
  type: 'order.refunded';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    /**
     * Absent where the log has no detail.
     */
    refund?: {
      /**
       * Cents.
       */
      amount: number;
      /**
       * May be empty. `missing` or `substituted` where the store lacks an item.
       */
      reason: string;
      /**
       * The items that the refund is for; empty for an amount of its own.
       */
      items: {
        /**
         * In `order.items`.
         */
        index: number;
        /**
         * As ordered.
         */
        product_id: string;
        quantity: number;
        /**
         * The unit of goods by weight; absent for others.
         */
        unit?: 'lb' | 'oz' | 'kg' | 'g';
        /**
         * Cents, with the share of tax; of a missing item, of fees too.
         */
        amount: number;
      }[];
    };
    order: Order;
  };
}
/**
 * The tip of the delivery was raised, and charged.
 */
export interface OrderTippedEvent {
  type: 'order.tipped';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * A card, as far as it may be shown.
 */
export interface PaymentMethod {
  /**
   * Sent to pay an order.
   */
  payment_method_id: string;
  /**
   * Such as `visa`.
   */
  brand: string;
  /**
   * The last four digits.
   */
  last4: string;
  /**
   * 1 to 12.
   */
  expiration_month: number;
  /**
   * Four digits.
   */
  expiration_year: number;
}
/**
 * A place of the directory.
 */
export interface Place {
  /**
   * The directory's own id; add_store takes it.
   */
  directory_place_id: string;
  /**
   * The `_id` of its store; absent while the place is not in the service.
   */
  service_store_id?: string;
  /**
   * Comes with `service_store_id`.
   */
  service_place_id?: string;
  /**
   * A page about it: its own, the directory's, or the map where it lies.
   */
  place_link: string;
  /**
   * What it is called.
   */
  place_name: string;
  /**
   * On one line; empty where it is unknown.
   */
  place_address: string;
  /**
   * The parts of its address; one that is unknown is empty.
   */
  place_address_components: {
    /**
     * House number and street.
     */
    street_addr: string;
    /**
     * Town.
     */
    city: string;
    /**
     * State or province.
     */
    state: string;
    /**
     * Postal code.
     */
    zipcode: string;
    /**
     * `US` or `CA`; empty elsewhere.
     */
    country: string;
  };
  /**
   * Latitude, then longitude, in degrees.
   *
   * @minItems 2
   * @maxItems 2
   */
  place_location: number[];
  /**
   * Digits only, country code first; absent where unknown.
   */
  place_phone?: number;
  /**
   * For each weekday from Monday on `<Weekday>: <hours>`, on its own clock; empty where they are unknown.
   */
  place_hours: string[];
  /**
   * Business status.
   */
  status: 'OPERATIONAL' | 'CLOSED_TEMPORARILY' | 'CLOSED_PERMANENTLY';
  /**
   * The directory's word for what it is, such as `restaurant` or `supermarket`.
   */
  type: string;
}
/**
 * The order as it was taken; `final_quote` only with `include_final_quote`.
 */
export interface PlacedOrder {
  /**
   * False for an order that is only quoted.
   */
  order_placed: boolean;
  /**
   * At the moment of the answer.
   */
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  /**
   * Share it with the customer only: its `key`, which keys without the scope `order` do not get, lets them cancel, if the account allows that.
   */
  tracking_link: string;
  final_quote?: FinalQuote;
  order_id: string;
  /**
   * The short number that store and customer call the order by, such as `A17`: unique within the store, its local day, and live or sandbox orders. Absent while unplaced.
   */
  order_number?: string;
  /**
   * While unplaced, for keys with the scope `order`: a page on which the customer reviews, pays and places the order. Works until then, for at most 24 hours.
   */
  checkout_url?: string;
  /**
   * Whether it was made with a sandbox key.
   */
  is_sandbox: boolean;
}
/**
 * The request was refused (RFC 9457 problem details). `final_quote` comes only with `quote_changed`, `rejected_codes` with `promotion_not_applied`.
 */
export interface Problem {
  /**
   * `urn:doorstep:error:` and the code.
   */
  type: string;
  /**
   * The code in words.
   */
  title: string;
  /**
   * The HTTP status.
   */
  status: number;
  /**
   * What went wrong, to be read.
   */
  detail: string;
  /**
   * For programs, such as `invalid_request`.
   */
  code: string;
  /**
   * The same as `detail`.
   */
  error: string;
  /**
   * The same as the header `x-request-id`.
   */
  request_id: string;
  /**
   * Everything that is wrong with the request; absent where no member is.
   */
  errors?: Fault[];
  /**
   * With `payment_declined`: why, such as `insufficient_funds`.
   */
  decline_code?: string;
  /**
   * With the `decline_code` `authentication_required`: where the customer approves the payment.
   */
  authentication_url?: string;
  /**
   * With `quote_unavailable`: why the store cannot take the order.
   */
  quote_error?:
    'DELIVERY_NOT_AVAILABLE' | 'PICKUP_NOT_AVAILABLE' | 'STORE_CLOSED' | 'OUT_OF_RANGE' | 'STORE_NOT_AVAILABLE';
  /**
   * The `product_id`s at fault; always there with `product_unavailable`.
   */
  invalid_product_ids?: string[];
  /**
   * Only with `weight_above_limit`: the most that may be charged, in the unit of the goods.
   */
  max_weight?: number;
  /**
   * The `option_id`s at fault; always there with `invalid_options`, and empty where choices are only missing.
   */
  invalid_option_ids?: string[];
  /**
   * Codes of the request that do not apply; absent where all do.
   */
  rejected_codes?: RejectedCode[];
  final_quote?: FinalQuote;
  /**
   * With `quote_changed`: the order that has the new quote. With `authentication_required`: the order to finalize.
   */
  order_id?: string;
}
/**
 * All of a product. `unit_price` only where its size says it. `quote` only with `include_quote`; `quote_error` only beside a quote that has an `error`.
 */
export interface Product {
  name: string;
  /**
   * Cents. For one, without options, in the requested mode.
   */
  price: number;
  /**
   * Cents. The price with the cheapest way to meet the required choices.
   */
  min_price: number;
  /**
   * Cents. What it costs when it is not on sale; else equal to the price.
   */
  original_price: number;
  /**
   * The price to be shown, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * How many are left; null where stock is not counted.
   */
  qty_available: number | null;
  /**
   * How much one is, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * Such as `lb`, `oz` or `ct`; may be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Absent of a product that is sold by the piece.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * Of goods by weight: the price with what it is for, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * Cents. Of goods by weight that are sold by the piece: about what one costs.
   */
  estimated_piece_price?: number;
  /**
   * Opaque. Sent to order it, or to read its details.
   */
  product_id: string;
  /**
   * What it is for taxes.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * Of the product with its default options; each option has facts of its own. Null where nothing is known.
   */
  food: Food | null;
  /**
   * Always false: images come as they are.
   */
  supports_image_scaling: boolean;
  /**
   * The store that sells it.
   */
  store_id: string;
  /**
   * Null where there is none.
   */
  description: string | null;
  /**
   * A URL.
   */
  image: string | null;
  /**
   * A URL.
   */
  thumbnail_image: string | null;
  /**
   * All of them.
   */
  customizations: Customization[];
  is_alcoholic: boolean;
  /**
   * Null where it has none.
   */
  upc_code: string | null;
  /**
   * Whether one can be ordered now: on sale, in stock, within its menu hours and sold in the mode.
   */
  is_available: boolean;
  quote?: Quote;
  quote_error?: QuoteFailure;
}
/**
 * A discount, who pays it, and where and how often it applies.
 */
export interface Promotion {
  promotion_id: string;
  offered_by: 'store' | 'account' | 'operator';
  /**
   * `item_price`: a price in the menu. `percent` and `amount`: off the items. `spend`: by tiers. `buy_get`: some units lower some. `delivery`: off the delivery fee.
   */
  kind: 'item_price' | 'percent' | 'amount' | 'spend' | 'buy_get' | 'delivery';
  /**
   * Above 0, at most 100, with at most six decimals. Of `percent`; of `buy_get`, 100 by default; of `item_price`, unless it has a `price_cents`.
   */
  percent?: number;
  /**
   * Cents. Of `item_price`: the price of a unit without options, not above its price in the menu.
   */
  price_cents?: number;
  /**
   * Cents. Of `percent`: the largest discount of an order.
   */
  max_discount_cents?: number;
  /**
   * Cents. Of `amount`; of `delivery`, unless it has `to_cents`.
   */
  amount_cents?: number;
  /**
   * Of `spend`: at most 5, each above the one before it; the highest that is reached counts.
   *
   * @maxItems 5
   */
  tiers?: {
    /**
     * Cents. Of the items that it is on.
     */
    minimum_subtotal: number;
    /**
     * Cents. Off these items.
     */
    amount_cents: number;
  }[];
  /**
   * Of `buy_get`: units of `items` that are bought.
   */
  buy?: number;
  /**
   * Of `buy_get`: units that are lowered for them.
   */
  get?: number;
  /**
   * Of `buy_get`: what is lowered, where it is not `items`; no id or class of those. Items that any of the lists names, each of at most 1000 ids.
   */
  get_items?: {
    /**
     * Ids of products in the feed; absent: none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Ids of categories in the feed; their subcategories are included. Absent: none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent: none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Items that it is not on; absent lists name none.
     */
    except?: {
      /**
       * Ids of products in the feed; absent: none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Ids of categories in the feed; their subcategories are included. Absent: none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent: none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * Of `buy_get`: how often in an order, at most.
   */
  times?: number;
  /**
   * Cents. Of `delivery`: 0, the fee that is left.
   */
  to_cents?: number;
  /**
   * Who pays which part; the percents add up to 100.
   *
   * @maxItems 3
   */
  funding: {
    payer: 'store' | 'account' | 'operator';
    /**
     * Of the discount, with at most six decimals.
     */
    percent: number;
  }[];
  /**
   * At most 100 characters, shown as written; without it, words of its kind in the customer's language.
   */
  title?: string;
  /**
   * 4 to 32 of A–Z, 0–9 and `-`; without it, it applies by itself. Letter case does not matter.
   */
  code?: string;
  /**
   * Without it, all items. Alcohol never counts. Items that any of the lists names, each of at most 1000 ids.
   */
  items?: {
    /**
     * Ids of products in the feed; absent: none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Ids of categories in the feed; their subcategories are included. Absent: none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent: none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Items that it is not on; absent lists name none.
     */
    except?: {
      /**
       * Ids of products in the feed; absent: none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Ids of categories in the feed; their subcategories are included. Absent: none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent: none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * Cents. Of the items that it is on, at menu prices.
   */
  minimum_subtotal?: number;
  mode?: 'delivery' | 'pickup';
  /**
   * At most 1000 `store_id`s; without it, all stores. Not of a store's own.
   *
   * @maxItems 1000
   */
  stores?: string[];
  /**
   * Cents are of the currency of the store. Not of a store’s own.
   */
  country?: 'US' | 'CA';
  /**
   * Not of a store’s own.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * Only for a user's first order in the account; implies one use per user.
   */
  first_order?: boolean;
  /**
   * Days after a store first took live orders. Not of a store’s own.
   */
  new_store_days?: number;
  /**
   * Epoch seconds; without it, at once.
   */
  starts_at?: number;
  /**
   * Epoch seconds.
   */
  ends_at?: number;
  hours?: WeekHours;
  /**
   * Orders in all.
   */
  max_uses?: number;
  /**
   * Orders of one user, by `user_id`, phone, email or card.
   */
  max_uses_per_user?: number;
  /**
   * Cents. The discounts of all orders together.
   */
  budget_cents?: number;
  /**
   * Whether stores show it as an offer.
   */
  listed: boolean;
  /**
   * `paused` too while no store has agreed to pay its part; `used_up`: a limit is reached.
   */
  state: 'scheduled' | 'active' | 'paused' | 'used_up' | 'ended';
  /**
   * Orders that have it. Absent, as are the three below, for a store of what others offer: those of other stores count too.
   */
  used?: number;
  /**
   * Cents. The discounts of these orders, of all payers; of goods by weight the most until they are handed over.
   */
  spent_cents?: number;
  /**
   * Cents. Of that, the caller's part; of the operator, the operator's.
   */
  cost?: number;
  /**
   * Cents. The subtotals of these orders at menu prices, likewise.
   */
  sales?: number;
  /**
   * Where stores pay a part of what others offer: it applies at the stores that have agreed.
   */
  agreements?: {
    store_id: string;
    /**
     * Who agreed for the store.
     */
    agreed_by: string;
    /**
     * The date, `YYYY-MM-DD`.
     */
    agreed_on: string;
  }[];
}
/**
 * By weekday `hh:mmAM - hh:mmPM`, several joined by `, `, or `Closed`, or `Open 24 hours`. A range whose end is not after its start runs into the next day.
 */
export interface WeekHours {
  Monday: string;
  Tuesday: string;
  Wednesday: string;
  Thursday: string;
  Friday: string;
  Saturday: string;
  Sunday: string;
}
/**
 * A refund of an order.
 */
export interface Refund {
  refund_id: string;
  order_id: string;
  /**
   * Cents of this refund.
   */
  amount: number;
  /**
   * Cents that went back of the order, with this refund once it is done.
   */
  refunded_amount: number;
  /**
   * `pending`: the gateway has not answered yet. The refund is made once, without another request.
   */
  state: 'done' | 'pending';
}
/**
 * A store. All fields are there unless `projections` asks for some only, and but for what is absent where it is unknown.
 */
export interface Store {
  /**
   * The `store_id` of inventory requests.
   */
  _id: string;
  /**
   * What it is called.
   */
  name: string;
  /**
   * Digits only, country code first; absent where unknown.
   */
  phone_number?: number;
  /**
   * Dialed after the call is answered; absent without one.
   */
  phone_extension?: string;
  address: StoreAddress;
  /**
   * What kind of store it is.
   */
  type: 'restaurant' | 'grocery';
  /**
   * May be empty.
   */
  description?: string;
  /**
   * Published hours on the store's own clock; unknown ones read as `Closed`.
   */
  local_hours?: {
    operational: WeekHours;
    delivery: WeekHours;
    pickup: WeekHours;
    dine_in: WeekHours;
  };
  /**
   * For a grocery store product category names.
   */
  cuisines?: string[];
  /**
   * URLs of photos. Of its food. May be empty.
   */
  food_photos?: string[];
  /**
   * URLs of photos. Of its logo. May be empty.
   */
  logo_photos?: string[];
  /**
   * URLs of photos. Of the store. May be empty.
   */
  store_photos?: string[];
  /**
   * Price level from 0 to 5; null where unknown.
   */
  dollar_signs?: number | null;
  /**
   * Whether it offers pickup at all.
   */
  pickup_enabled?: boolean;
  /**
   * Whether it offers delivery at all; the quote tells whether it comes to an address.
   */
  delivery_enabled?: boolean;
  /**
   * By the published hours, in the store's own time zone. The quote decides.
   */
  is_open: boolean;
  /**
   * Epoch seconds. While it is closed: when it is next open, by what is known now. Null while it is open, and for never.
   */
  opens_at?: number | null;
  /**
   * Epoch seconds. While it is open: when it closes. Null while it is closed, and for never.
   */
  closes_at?: number | null;
  /**
   * While it is closed: `hours` its weekly hours, `exception` the hours of this date, `paused` by the store, `unknown_hours`, or `no_ordering` because its online ordering is off. Absent while it is open.
   */
  closed_reason?: 'hours' | 'exception' | 'paused' | 'unknown_hours' | 'no_ordering';
  /**
   * Its own drivers deliver.
   */
  offers_first_party_delivery?: boolean;
  /**
   * A marketplace or a courier delivers.
   */
  offers_third_party_delivery?: boolean;
  /**
   * Great-circle distance from the place that was searched near, two decimals.
   */
  miles?: number;
  /**
   * Whether it takes an order now, as soon as possible, in the requested mode. There with `accepting` and where `projections` names it.
   */
  accepts_orders?: boolean;
  /**
   * Rating; absent where there is none.
   */
  weighted_rating_value?: number;
  /**
   * Number of ratings; absent where unknown.
   */
  aggregated_rating_count?: number;
  /**
   * Whether some product has one.
   */
  supports_upc_codes?: boolean;
  /**
   * Promotions that the store lists now; absent without one.
   */
  offers?: Offer[];
}
/**
 * A test call that the account requested. It belongs to no order.
 */
export interface WebhookTestEvent {
  type: 'webhook.test';
  /**
   * When it happened, in UTC.
   */
  timestamp: string;
  data: Record<string, never>;
}
export interface AddStoreQuery {
  /**
   * The `directory_place_id` of a place found by place search.
   */
  directory_place_id: string;
}
/**
 * The store. All three are empty for a place that is unknown, closed for good, outside of the US and Canada, or neither a restaurant nor a shop (a bank, a salon, a park).
 */
export interface AddStoreAnswer {
  /**
   * The `_id` of the store; empty when nothing was added.
   */
  service_store_id: string;
  /**
   * The service's own id of the place; empty with it.
   */
  service_place_id: string;
  /**
   * `restaurant` or `grocery`; empty with it.
   */
  service_store_type: string;
}
export interface AddWebhookBody {
  /**
   * An https URL on a public host that is sent order events.
   */
  endpoint: string;
}
/**
 * It is attached.
 */
export interface AddWebhookAnswer {
  /**
   * A sentence that names the webhook.
   */
  status: string;
}
export interface AdvanceSandboxOrderBody {
  /**
   * What happens next.
   */
  event: 'confirm' | 'ready' | 'assign_driver' | 'pick_up' | 'approach' | 'complete' | 'cancel' | 'delay';
  /**
   * With `approach`: where the driver is, at most 500 m from the door; else near the door.
   */
  driver_latitude?: number;
  /**
   * With `approach`: where the driver is, beside `driver_latitude`.
   */
  driver_longitude?: number;
}
export interface CancelOrderBody {
  /**
   * A placed order.
   */
  order_id: string;
  /**
   * Why, for the customer and the store; `canceled_by_account` when omitted.
   */
  reason?: string;
}
export interface ChangeAccountPromotionBody {
  /**
   * Epoch seconds.
   */
  ends_at?: number;
  /**
   * Orders in all.
   */
  max_uses?: number;
  /**
   * Orders of one user, by `user_id`, phone, email or card.
   */
  max_uses_per_user?: number;
  /**
   * Cents. The discounts of all orders together.
   */
  budget_cents?: number;
  [k: string]: unknown;
}
export interface CreateAccountPromotionBody {
  /**
   * `item_price`: a price in the menu. `percent` and `amount`: off the items. `spend`: by tiers. `buy_get`: some units lower some. `delivery`: off the delivery fee.
   */
  kind: 'item_price' | 'percent' | 'amount' | 'spend' | 'buy_get' | 'delivery';
  /**
   * Above 0, at most 100, with at most six decimals. Of `percent`; of `buy_get`, 100 by default; of `item_price`, unless it has a `price_cents`.
   */
  percent?: number;
  /**
   * Cents. Of `item_price`: the price of a unit without options, not above its price in the menu.
   */
  price_cents?: number;
  /**
   * Cents. Of `percent`: the largest discount of an order.
   */
  max_discount_cents?: number;
  /**
   * Cents. Of `amount`; of `delivery`, unless it has `to_cents`.
   */
  amount_cents?: number;
  /**
   * Of `spend`: at most 5, each above the one before it; the highest that is reached counts.
   *
   * @maxItems 5
   */
  tiers?: {
    /**
     * Cents. Of the items that it is on.
     */
    minimum_subtotal: number;
    /**
     * Cents. Off these items.
     */
    amount_cents: number;
  }[];
  /**
   * Of `buy_get`: units of `items` that are bought.
   */
  buy?: number;
  /**
   * Of `buy_get`: units that are lowered for them.
   */
  get?: number;
  /**
   * Of `buy_get`: what is lowered, where it is not `items`; no id or class of those. Items that any of the lists names, each of at most 1000 ids.
   */
  get_items?: {
    /**
     * Ids of products in the feed; absent: none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Ids of categories in the feed; their subcategories are included. Absent: none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent: none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Items that it is not on; absent lists name none.
     */
    except?: {
      /**
       * Ids of products in the feed; absent: none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Ids of categories in the feed; their subcategories are included. Absent: none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent: none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * Of `buy_get`: how often in an order, at most.
   */
  times?: number;
  /**
   * Cents. Of `delivery`: 0, the fee that is left.
   */
  to_cents?: number;
  /**
   * Who pays which part; the percents add up to 100.
   *
   * @maxItems 3
   */
  funding?: {
    payer: 'store' | 'account' | 'operator';
    /**
     * Of the discount, with at most six decimals.
     */
    percent: number;
  }[];
  /**
   * At most 100 characters, shown as written; without it, words of its kind in the customer's language.
   */
  title?: string;
  /**
   * 4 to 32 of A–Z, 0–9 and `-`; without it, it applies by itself. Letter case does not matter.
   */
  code?: string;
  /**
   * Without it, all items. Alcohol never counts. Items that any of the lists names, each of at most 1000 ids.
   */
  items?: {
    /**
     * Ids of products in the feed; absent: none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Ids of categories in the feed; their subcategories are included. Absent: none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent: none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Items that it is not on; absent lists name none.
     */
    except?: {
      /**
       * Ids of products in the feed; absent: none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Ids of categories in the feed; their subcategories are included. Absent: none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent: none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * Cents. Of the items that it is on, at menu prices.
   */
  minimum_subtotal?: number;
  mode?: 'delivery' | 'pickup';
  /**
   * At most 1000 `store_id`s; without it, all stores. Not of a store's own.
   *
   * @maxItems 1000
   */
  stores?: string[];
  /**
   * Cents are of the currency of the store. Not of a store’s own.
   */
  country?: 'US' | 'CA';
  /**
   * Not of a store’s own.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * Only for a user's first order in the account; implies one use per user.
   */
  first_order?: boolean;
  /**
   * Days after a store first took live orders. Not of a store’s own.
   */
  new_store_days?: number;
  /**
   * Epoch seconds; without it, at once.
   */
  starts_at?: number;
  /**
   * Epoch seconds.
   */
  ends_at?: number;
  /**
   * On the store's clock, in any notation of a feed's `hours`; of a scheduled order, at its time.
   */
  hours?: {
    [k: string]: unknown;
  };
  /**
   * Orders in all.
   */
  max_uses?: number;
  /**
   * Orders of one user, by `user_id`, phone, email or card.
   */
  max_uses_per_user?: number;
  /**
   * Cents. The discounts of all orders together.
   */
  budget_cents?: number;
  /**
   * Whether stores show it as an offer; by default without a code.
   */
  listed?: boolean;
}
export interface CreateCardSetupBody {
  /**
   * Your own id of the user who owns the card.
   */
  user_id: string;
  /**
   * The email address of the user.
   */
  user_email: string;
  /**
   * Where the user is sent afterwards: https, or http on localhost.
   */
  return_url: string;
}
/**
 * The page is open.
 */
export interface CreateCardSetupAnswer {
  /**
   * The page; anyone who holds the link may enter a card.
   */
  url: string;
}
export interface CreateOrderBody {
  /**
   * An unplaced order, which this request replaces.
   */
  order_id?: string;
  /**
   * For a publishable key, with `order_id`: the `key` of its `tracking_link`, or the end of its `checkout_url`.
   */
  order_key?: string;
  /**
   * `true` places the order; else it is only quoted and stored.
   */
  place_order?: boolean;
  /**
   * All of one store.
   *
   * @minItems 1
   * @maxItems 100
   */
  items: {
    /**
     * Of an inventory or product details.
     */
    product_id: string;
    /**
     * A whole number from 1 to 99; 1 when omitted. Of goods by weight, a decimal of the product's `unit` as a number or a string: a multiple of `step` from `min` to `max`.
     */
    quantity?: number | string;
    /**
     * Of goods by weight with a `piece_weight`, in place of `quantity`.
     */
    pieces?: number;
    /**
     * Those of nested customizations too.
     *
     * @maxItems 500
     */
    selected_options?: {
      /**
       * Of the product.
       */
      option_id: string;
      /**
       * 1 when omitted; 0 is as good as no mention.
       */
      quantity?: number;
      /**
       * Cents. What the receipt shows for one of it, instead of its price.
       */
      marked_price?: number;
    }[];
    /**
     * For the store.
     */
    notes?: string;
    /**
     * Cents. What the receipt shows for one, without options, instead of its price.
     */
    product_marked_price?: number;
    /**
     * What to do when the store lacks the item; `refund` when omitted.
     */
    substitution?: {
      /**
       * `store_choice`: a product that the store chooses. `specific`: one of `product_ids`. `refund`: the money back.
       */
      preference: 'store_choice' | 'specific' | 'refund';
      /**
       * With `specific` alone, and then needed: products of the same store.
       *
       * @minItems 1
       * @maxItems 10
       */
      product_ids?: string[];
    };
  }[];
  /**
   * `true` for pickup, `false` for delivery.
   */
  pickup: boolean;
  /**
   * Cents. For a delivery; a pickup has no tip.
   */
  driver_tip_cents?: number;
  /**
   * Degrees north of the door. Required for a delivery without an address.
   */
  user_latitude?: number;
  /**
   * Degrees east of the door. Required for a delivery without an address.
   */
  user_longitude?: number;
  /**
   * The address of the door on one line, which is looked up without a coordinate and without `user_street_name` and `user_city` or `user_zipcode`: those are looked up instead.
   */
  address?: string;
  /**
   * Needed to place a delivery.
   */
  user_street_num?: string;
  /**
   * Needed to place a delivery.
   */
  user_street_name?: string;
  /**
   * Apartment, suite or floor.
   */
  user_apt_num?: string;
  /**
   * Needed to place a delivery.
   */
  user_city?: string;
  /**
   * Needed to place a delivery. Of the US or Canada, by its code or name.
   */
  user_state?: string;
  /**
   * Of the address.
   */
  user_country?: string;
  /**
   * Needed to place a delivery.
   */
  user_zipcode?: string;
  /**
   * The IANA name of the customer's time zone. The store's zone when omitted or empty.
   */
  user_time_zone?: string;
  /**
   * The BCP 47 tag of the language of the customer's pages and messages: English, French or Spanish of any region. The account's language when omitted, empty or another one.
   */
  user_language?: string;
  /**
   * For the driver.
   */
  user_dropoff_notes?: string;
  /**
   * For who hands the order out.
   */
  user_pickup_notes?: string;
  /**
   * How it is handed over; absent where nothing was chosen.
   */
  drop_off?: {
    /**
     * Of a delivery.
     */
    where: 'hand_to_me' | 'leave_at_door' | 'meet_outside';
    /**
     * Whether the customer wants utensils.
     */
    utensils: boolean;
    /**
     * If `true`, the customer's order page shows a four-digit PIN, which is required as `code` to complete the order.
     */
    code: boolean;
  };
  /**
   * Needed to place; a placed order always has one.
   */
  user_name?: string;
  /**
   * Needed to place; a placed order always has one. The receipt goes there.
   */
  user_email?: string;
  /**
   * Needed to place; a placed order always has one. Ten digits are a number of the US or Canada; any other has its country code, in a string after `+`. A string is read in any notation, and may end in an extension.
   */
  user_phone?: number | string;
  /**
   * Needed to place; a placed order always has one. The one that the payment method was created with.
   */
  user_id?: string;
  /**
   * True when omitted; `false` places without a charge.
   */
  charge_user?: boolean;
  /**
   * `true` answers with the `final_quote`.
   */
  include_final_quote?: boolean;
  /**
   * `true` sends no SMS.
   */
  disable_sms?: boolean;
  /**
   * What the receipt shows, and what is charged on top.
   */
  email_receipt_specifications?: {
    /**
     * `true` charges and shows the marked prices.
     */
    prices_marked?: boolean;
    /**
     * A fee of your own.
     */
    added_fee?: {
      /**
       * Cents.
       */
      added_fee_flat?: number;
      /**
       * Percent of the subtotal.
       */
      added_fee_percent?: number;
      /**
       * False when omitted.
       */
      is_added_fee_taxable?: boolean;
    };
    /**
     * `true` shows your fee together with the service fee.
     */
    unify_service_fee?: boolean;
    /**
     * `true` sends no email: no receipt, no change, no cancelation, no refund.
     */
    disable_email?: boolean;
    /**
     * Other fees.
     *
     * @maxItems 20
     */
    misc_fees?: {
      /**
       * As the receipt shows it.
       */
      fee_name: string;
      /**
       * Cents.
       */
      fee_amount: number;
    }[];
  };
  /**
   * Kept with the order.
   */
  favorited?: boolean;
  /**
   * `true` lets an order of which only products are unavailable move to the nearest store of the same name that has them, and lets the store substitute each item that has no `substitution` of its own.
   */
  enable_substitution?: boolean;
  /**
   * `true` chooses what is required and missing: defaults, then the cheapest.
   */
  autofill_selected_options?: boolean;
  /**
   * Needed to place, unless `charge_user` is false or the total is zero.
   */
  payment_method_id?: string;
  /**
   * Codes of promotions as the customer typed or pasted them: letter case, spaces and the kind of dash do not matter. Promotions without a code apply by themselves.
   *
   * @maxItems 10
   */
  promotion_codes?: string[];
  /**
   * The `id` of a slot of the quote; as soon as possible when omitted.
   */
  scheduled_id?: string;
  /**
   * Which party delivers where several reach the door, as at the inventory; `first_available` when omitted. The order keeps it.
   */
  quote_preference?: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * Your own id of the order.
   */
  customer_order_id?: string;
  /**
   * Where `checkout_url` sends the customer afterwards, with `order_id` and `status` (`placed`, `canceled`, `changed`): https, or http on localhost with a sandbox key. The tracking page when omitted.
   */
  checkout_return_url?: string;
  /**
   * Anything of yours; kept with the order and answered with it.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
/**
 * Exactly one of `payment_method` and `payment_token`.
 */
export interface CreatePaymentMethodBody {
  payment_method?: {
    /**
     * 12 to 19 digits; a string may group them by spaces or hyphens.
     */
    card_number: number | string;
    /**
     * 1 to 12.
     */
    expiration_month: number | string;
    /**
     * Four digits; the card is good until the end of its month.
     */
    expiration_year: number | string;
    /**
     * 3 digits, or 4 for American Express. A number is padded with leading zeros (12 becomes 012); a string is used as is.
     */
    cvc: number | string;
  };
  /**
   * Of the gateway's own client library, such as `pm_…` or `tok_…` of Stripe. Sandbox: `tok_visa`, and `tok_declined`, which is declined when it is charged.
   */
  payment_token?: string;
  /**
   * The email address of the user.
   */
  user_email: string;
  /**
   * Your own id of the user who owns the card.
   */
  user_id: string;
}
/**
 * The payment method can be used.
 */
export interface CreatePaymentMethodAnswer {
  status: 'success';
  /**
   * Sent to pay an order of the same `user_id`.
   */
  payment_method_id: string;
}
/**
 * It ended.
 */
export interface DeleteCustomerAnswer {
  user_id: string;
  deleted: true;
}
export interface DeletePaymentMethodBody {
  /**
   * Your own id of the user who owns the card.
   */
  user_id: string;
  /**
   * Of that user.
   */
  payment_method_id: string;
}
/**
 * It is gone; orders placed with it stay.
 */
export interface DeletePaymentMethodAnswer {
  status: 'success';
}
export type EndAccountPromotionBody = Record<string, never>;
export interface ExchangeMcpMessageBody {
  jsonrpc: '2.0';
  /**
   * Such as `initialize`, `server/discover`, `tools/list` or `tools/call`.
   */
  method: string;
  /**
   * Of the client, for the answer; a notification has none.
   */
  id?: string | number;
  /**
   * With `tools/call` the `name` of the tool and its `arguments`: `tools/list` describes them.
   */
  params?: {
    [k: string]: unknown;
  };
}
/**
 * A response of JSON-RPC 2.0. The result of the request, or its `error`.
 */
export interface ExchangeMcpMessageAnswer {
  jsonrpc: '2.0';
  [k: string]: unknown;
}
export interface FinalizeOrderBody {
  /**
   * Of order creation without `place_order`.
   */
  order_id: string;
  /**
   * Needed to place; a placed order always has one.
   */
  user_name?: string;
  /**
   * Needed to place; a placed order always has one. The receipt goes there.
   */
  user_email?: string;
  /**
   * Needed to place; a placed order always has one. Ten digits are a number of the US or Canada; any other has its country code, in a string after `+`. A string is read in any notation, and may end in an extension.
   */
  user_phone?: number | string;
  /**
   * Needed to place; a placed order always has one. The one that the payment method was created with.
   */
  user_id?: string;
  /**
   * Needed to place, unless `charge_user` is false or the total is zero.
   */
  payment_method_id?: string;
  /**
   * Codes of promotions as the customer typed or pasted them: letter case, spaces and the kind of dash do not matter. Promotions without a code apply by themselves.
   *
   * @maxItems 10
   */
  promotion_codes?: string[];
  /**
   * Of the gateway's client library, in place of a `payment_method_id`: it is saved for the `user_id`.
   */
  payment_token?: string;
}
export interface ForgetUserBody {
  /**
   * Your own id of the user who owns the card.
   */
  user_id: string;
}
export interface GeocodeQuery {
  /**
   * An address on one line, a postal code, or a city and its state.
   */
  address?: string;
  /**
   * Degrees north, of a place in the US or Canada.
   */
  latitude?: number;
  /**
   * Degrees east.
   */
  longitude?: number;
}
/**
 * The matches; none is 422 `address_not_found`.
 */
export interface GeocodeAnswer {
  /**
   * 1 to 5, best first.
   */
  results: {
    /**
     * Degrees north.
     */
    latitude: number;
    /**
     * Degrees east.
     */
    longitude: number;
    /**
     * The geocoder's spelling of what it found, on one line.
     */
    address: string;
    /**
     * The parts of `address`, as an order takes them; empty where unknown.
     */
    components: {
      /**
       * Of the house, which rural addresses may lack.
       */
      street_num: string;
      street_name: string;
      apt_num: string;
      city: string;
      /**
       * The code of the state, province or territory.
       */
      state: string;
      zipcode: string;
    };
    /**
     * `rooftop`: the building. `street`: a point of the street, estimated from house numbers where there is one. `postal_code`, `city`: the middle of it.
     */
    precision: 'rooftop' | 'street' | 'postal_code' | 'city';
  }[];
}
export interface ListAccountPromotionsQuery {
  /**
   * The `next` of the page before: the page after it.
   */
  before?: string;
}
/**
 * Newest first, 50 a page.
 */
export interface ListAccountPromotionsAnswer {
  promotions: Promotion[];
  /**
   * The `before` of the next page; null on the last.
   */
  next: string | null;
}
export interface ListEventsQuery {
  /**
   * The `next` of the answer before, as it is. Steps that were taken earlier are left out.
   */
  after?: string;
}
/**
 * Up to 20 steps, oldest first, and no further step after 2 MiB; none without `after`.
 */
export interface ListEventsAnswer {
  events: OrderEvent[];
  /**
   * Further steps wait: ask with `next` at once.
   */
  has_more: boolean;
  /**
   * Where the next answer begins. Opaque; it may be kept for a day.
   */
  next: string;
  /**
   * False where the account has more orders than are looked at: steps of older orders are left out.
   */
  is_complete: boolean;
}
export interface ListOrderEventsQuery {
  /**
   * Leaves out the steps up to this sequence.
   */
  after?: number;
}
/**
 * Up to 20 steps, and no further step after 2 MiB; none for an order that is not placed.
 */
export interface ListOrderEventsAnswer {
  events: OrderEvent[];
  /**
   * Further steps follow: send the last sequence of this page as `after`.
   */
  has_more: boolean;
  /**
   * What the order is now: with `has_more` false, right after the last step.
   */
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
}
export interface ListOrdersQuery {
  /**
   * The order_id of order creation. An unknown one gives an empty list.
   */
  order_id?: string;
  /**
   * For a publishable key, with `order_id` alone: the `key` of its `tracking_link`, or the end of its `checkout_url`.
   */
  order_key?: string;
  /**
   * Comma-separated: unplaced, awaiting_confirmation, in_progress, completed, canceled. Without `status` and `order_id` the list has placed orders only; `unplaced` lists the rest.
   */
  status?: string;
  /**
   * First day on which the orders were created, in UTC: MM/DD/YYYY.
   */
  start_date?: string;
  /**
   * Last day on which the orders were created, in UTC: MM/DD/YYYY.
   */
  end_date?: string;
  /**
   * Your own id of the user who ordered.
   */
  user_id?: string;
  /**
   * Of the request, as it was sent.
   */
  customer_order_id?: string;
  /**
   * As the order was created.
   */
  favorited?: boolean;
  /**
   * `true` adds `order_count`: how many orders match, on all pages.
   */
  include_order_count?: boolean;
  /**
   * `messages` adds the SMS and emails of each order, and why some were not sent.
   */
  include?: 'messages';
  /**
   * From 0; the `next_page` of the page before. A page has at most 100 orders.
   */
  page?: number;
}
/**
 * Up to 100 orders, and no further order after 2 MiB of orders; none for an id that is not known.
 */
export interface ListOrdersAnswer {
  orders: Order[];
  /**
   * With `include_order_count`: how many orders match, on all pages.
   */
  order_count?: number;
  /**
   * Send it as `page` to get the following page; absent on the last page.
   */
  next_page?: number;
}
export interface ListPaymentMethodsQuery {
  /**
   * Your own id of the user who owns the card.
   */
  user_id: string;
}
/**
 * Up to 100; none for a user that is not known.
 */
export interface ListPaymentMethodsAnswer {
  payment_methods: PaymentMethod[];
}
export interface ListRequestsQuery {
  /**
   * The `next` of the answer before: leaves out what that answer has.
   */
  after?: string;
}
/**
 * Up to 200 requests, oldest first.
 */
export interface ListRequestsAnswer {
  requests: {
    /**
     * When the request was answered, in UTC.
     */
    timestamp: string;
    method: string;
    /**
     * Without its query; at most 200 letters.
     */
    path: string;
    status: number;
    /**
     * How long the answer took, in milliseconds.
     */
    ms: number;
    /**
     * The `x-request-id` of the answer.
     */
    request_id: string;
  }[];
  /**
   * Where the next answer begins. Opaque.
   */
  next: string;
  /**
   * False where requests since `after` are missing: too many, or another process answered before.
   */
  is_complete: boolean;
}
export interface ListSandboxChargesQuery {
  /**
   * An order of this account.
   */
  order_id?: string;
  /**
   * A payment method of this account.
   */
  payment_method_id?: string;
}
/**
 * None for an id that is not known.
 */
export interface ListSandboxChargesAnswer {
  charges: Charge[];
}
export interface ListSandboxMessagesQuery {
  /**
   * The order.
   */
  order_id: string;
}
/**
 * Empty for an order that is not yours.
 */
export interface ListSandboxMessagesAnswer {
  messages: {
    id: string;
    order_id: string;
    channel: 'sms' | 'email';
    kind:
      | 'checkout_link'
      | 'order_placed'
      | 'order_confirmation'
      | 'store_confirmed'
      | 'order_delayed'
      | 'order_item_changed'
      | 'ready_for_pickup'
      | 'on_its_way'
      | 'final_receipt'
      | 'card_declined'
      | 'driver_nearby'
      | 'delivered'
      | 'order_problem'
      | 'order_canceled'
      | 'order_refunded';
    to: string;
    bcc: string | null;
    from: string;
    subject: string | null;
    text: string;
    html: string | null;
    timestamp: number;
  }[];
}
export type PauseAccountPromotionBody = Record<string, never>;
export interface ReadInventoryQuery {
  /**
   * The _id of a store.
   */
  store_id: string;
  /**
   * Inventory, prices and quote differ between delivery and pickup.
   */
  pickup: boolean;
  /**
   * A category of an earlier answer.
   */
  subcategory_id?: string;
  /**
   * All levels of categories, without products; at most 2,000 categories.
   */
  category_tree?: boolean;
  /**
   * Whether the answer has a quote.
   */
  include_quote?: boolean;
  /**
   * Which party delivers where several reach the door: `first_available` (when omitted) and `fastest` the one with the lowest maximum of minutes, `first_party` the store itself where it reaches the door, `cheapest` the one with the lowest delivery fee at the store's order minimum.
   */
  quote_preference?: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * Degrees north of the door; required for a delivery quote without `address`.
   */
  user_latitude?: number;
  /**
   * Degrees east of the door; required for a delivery quote without `address`.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada, instead of the coordinate: it is looked up. With both, the coordinate counts.
   */
  address?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_street_num?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_street_name?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_city?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_state?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_zipcode?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_country?: string;
}
export interface ReadProductQuery {
  /**
   * A `product_id` of an inventory.
   */
  product_id: string;
  /**
   * Without it: delivery, or pickup for a product that is sold for pickup only.
   */
  pickup?: boolean;
  /**
   * Whether the answer has a quote.
   */
  include_quote?: boolean;
  /**
   * Which party delivers where several reach the door: `first_available` (when omitted) and `fastest` the one with the lowest maximum of minutes, `first_party` the store itself where it reaches the door, `cheapest` the one with the lowest delivery fee at the store's order minimum.
   */
  quote_preference?: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * Degrees north of the door; required for a delivery quote without `address`.
   */
  user_latitude?: number;
  /**
   * Degrees east of the door; required for a delivery quote without `address`.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada, instead of the coordinate: it is looked up. With both, the coordinate counts.
   */
  address?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_street_num?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_street_name?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_city?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_state?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_zipcode?: string;
  /**
   * Part of the user's address; the coordinates decide the quote.
   */
  user_country?: string;
}
/**
 * The proof; without a record it says so.
 */
export interface ReadProofAnswer {
  /**
   * Where the photo is, for the same key; null without a photo.
   */
  photo_url: string | null;
  /**
   * The driver confirmed to have seen an ID.
   */
  id_checked: boolean;
  /**
   * Epoch seconds of the last record; null where the driver recorded nothing.
   */
  at: number | null;
}
export interface ReadStoresQuery {
  /**
   * The `_id` of a store; at most 50, separated by commas.
   */
  store_id: string;
  /**
   * With `longitude`: adds `miles` and `delivers_here`.
   */
  latitude?: number;
  /**
   * Degrees east.
   */
  longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada, instead of the coordinate: it is looked up. With both, the coordinate counts.
   */
  address?: string;
  /**
   * The mode of `accepts_orders`; either when omitted.
   */
  pickup?: boolean;
  /**
   * `true` keeps the stores that have a menu or an assortment.
   */
  has_menu?: boolean;
}
/**
 * The stores that were found.
 */
export interface ReadStoresAnswer {
  stores: {
    /**
     * The `store_id` of inventory requests.
     */
    _id: string;
    /**
     * What it is called.
     */
    name: string;
    /**
     * Digits only, country code first; absent where unknown.
     */
    phone_number?: number;
    /**
     * Dialed after the call is answered; absent without one.
     */
    phone_extension?: string;
    address: StoreAddress;
    /**
     * What kind of store it is.
     */
    type: 'restaurant' | 'grocery';
    /**
     * May be empty.
     */
    description: string;
    /**
     * Published hours on the store's own clock; unknown ones read as `Closed`.
     */
    local_hours: {
      operational: WeekHours;
      delivery: WeekHours;
      pickup: WeekHours;
      dine_in: WeekHours;
    };
    /**
     * For a grocery store product category names.
     */
    cuisines: string[];
    /**
     * URLs of photos. Of its food. May be empty.
     */
    food_photos: string[];
    /**
     * URLs of photos. Of its logo. May be empty.
     */
    logo_photos: string[];
    /**
     * URLs of photos. Of the store. May be empty.
     */
    store_photos: string[];
    /**
     * Price level from 0 to 5; null where unknown.
     */
    dollar_signs: number | null;
    /**
     * Whether it offers pickup at all.
     */
    pickup_enabled: boolean;
    /**
     * Whether it offers delivery at all; the quote tells whether it comes to an address.
     */
    delivery_enabled: boolean;
    /**
     * By the published hours, in the store's own time zone. The quote decides.
     */
    is_open: boolean;
    /**
     * Epoch seconds. While it is closed: when it is next open, by what is known now. Null while it is open, and for never.
     */
    opens_at: number | null;
    /**
     * Epoch seconds. While it is open: when it closes. Null while it is closed, and for never.
     */
    closes_at: number | null;
    /**
     * While it is closed: `hours` its weekly hours, `exception` the hours of this date, `paused` by the store, `unknown_hours`, or `no_ordering` because its online ordering is off. Absent while it is open.
     */
    closed_reason?: 'hours' | 'exception' | 'paused' | 'unknown_hours' | 'no_ordering';
    /**
     * Its own drivers deliver.
     */
    offers_first_party_delivery: boolean;
    /**
     * A marketplace or a courier delivers.
     */
    offers_third_party_delivery: boolean;
    /**
     * Great-circle distance from the place that was searched near, two decimals.
     */
    miles?: number;
    /**
     * Whether its quote has `asap_available`, in the requested mode.
     */
    accepts_orders: boolean;
    /**
     * Rating; absent where there is none.
     */
    weighted_rating_value?: number;
    /**
     * Number of ratings; absent where unknown.
     */
    aggregated_rating_count?: number;
    /**
     * Whether some product has one.
     */
    supports_upc_codes: boolean;
    /**
     * Promotions that the store lists now; absent without one.
     */
    offers?: Offer[];
    /**
     * Whether some party delivers to the place, whether or not it accepts orders now.
     */
    delivers_here?: boolean;
    /**
     * Of its clock, such as `America/Chicago`.
     */
    time_zone: string;
    /**
     * Dates from today, on the store's clock, to 30 days ahead on which other `operational` hours count; absent without one.
     */
    hours_exceptions?: {
      /**
       * The first date, such as `2026-12-25`.
       */
      from: string;
      /**
       * The last date.
       */
      to: string;
      /**
       * As in `local_hours`: `Closed`, or the ranges of each date.
       */
      hours: string;
    }[];
    /**
     * Of an order as soon as possible. With `pickup`, for `false` also the place, while it accepts orders.
     */
    time_estimate?: {
      /**
       * Minutes from now.
       */
      minimum: number;
      maximum: number;
    };
    /**
     * Beside `time_estimate` of a delivery: what delivery to the place costs the smallest order that the store takes.
     */
    delivery_fee?: {
      /**
       * Cents.
       */
      delivery_fee_flat: number;
      /**
       * Of the subtotal.
       */
      delivery_fee_percent: number;
    };
  }[];
}
/**
 * The webhook.
 */
export interface ReadWebhookAnswer {
  endpoint: string | null;
  signing_secret: string | null;
  previous_secret_until: string | null;
  enabled: boolean;
  deliveries: {
    webhook_id: string;
    type: string;
    order_id: string | null;
    attempts: number;
    last_status: number | null;
    next_attempt_at: string | null;
    state: 'pending' | 'delivered' | 'dead';
  }[];
}
export interface RefundOrderBody {
  /**
   * An order in progress, or a completed one; for `refund_tip` alone, also one that was canceled on its way.
   */
  order_id: string;
  /**
   * Cents to give back, without the tip; or else `items`.
   */
  amount?: number;
  /**
   * Units or weights to give back, at their price with mark-up and their share of the tax; or else `amount`.
   *
   * @minItems 1
   * @maxItems 100
   */
  items?: {
    /**
     * The item of the order, from 0.
     */
    index: number;
    /**
     * Units of it; required, but for goods by weight.
     */
    quantity?: number;
    /**
     * Of goods by weight, what is given back of them; the rest when omitted.
     */
    weight?: number | string;
  }[];
  /**
   * Gives the tip back too, alone or beside `amount` or `items`, once a driver has had the order. The driver keeps it and the operator bears it; `reason` is required.
   */
  refund_tip?: boolean;
  /**
   * Why, for the customer: it is shown on the receipt.
   */
  reason?: string;
}
export interface RemoveWebhookBody {
  /**
   * The URL that is attached.
   */
  webhook_url: string;
}
/**
 * The webhook is detached.
 */
export interface RemoveWebhookAnswer {
  /**
   * A sentence that names the webhook.
   */
  status: string;
}
export interface ReplayWebhookBody {
  /**
   * One call.
   */
  webhook_id?: string;
  /**
   * Epoch seconds.
   */
  since?: number;
}
/**
 * They are due now.
 */
export interface ReplayWebhookAnswer {
  /**
   * How many calls will be made again.
   */
  replayed: number;
}
export type ResumeAccountPromotionBody = Record<string, never>;
export interface SaveCustomerBody {
  /**
   * Of the user.
   */
  email?: string;
  /**
   * With the country code.
   */
  phone?: string;
  /**
   * Kept unless sent.
   */
  first_name?: string;
  /**
   * Kept unless sent.
   */
  last_name?: string;
}
export interface SearchCartsQuery {
  /**
   * A JSON object of product query to quantity, such as `{"milk":2,"salmon":"1.5 lb"}`. A number is 1 to 99 pieces or packages, or units of goods by weight without a weight a piece; a text is an amount, up to the next step or package. 1 to 20 lines, a line of at most 512 characters, all at most 8000. No two lines may ask for the same. A line of 8, 12, 13 or 14 digits whose check digit is right is a UPC.
   */
  query: string;
  /**
   * Only this store, however far it is from the place.
   */
  store_id?: string;
  /**
   * `true` keeps the stores that take orders now, as soon as possible, as their quotes say: of the mode of `pickup`, of delivery with `delivers_here`, else of either.
   */
  accepting?: boolean;
  /**
   * Degrees north of the place to search near. Required without `address`.
   */
  user_latitude?: number;
  /**
   * Degrees east of the place to search near. Required without `address`.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada, instead of the coordinate: it is looked up. With both, the coordinate counts.
   */
  address?: string;
  /**
   * Both when omitted.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * `true` prices carts for pickup, `false` for delivery, and then only stores that deliver to the place take part. Omitted: delivery from stores that deliver to the place, pickup from the others.
   */
  pickup?: boolean;
  /**
   * `true` keeps the stores that are open now.
   */
  open?: boolean;
  /**
   * `true` keeps the stores that deliver to the place, by any party, whether or not they accept orders now.
   */
  delivers_here?: boolean;
  /**
   * Great-circle radius; none when omitted.
   */
  maximum_miles?: number;
  /**
   * Comma-separated: vegan, vegetarian, gluten_free, halal, kosher. Only products whose `food` states every one of them.
   */
  diet?: string;
  /**
   * Comma-separated: milk, eggs, fish, crustaceans, tree_nuts, peanuts, wheat, soybeans, sesame, mustard, molluscs, sulphites. Only products whose `food` has both `allergens` and `may_contain`, and names none of them in either.
   */
  without?: string;
  /**
   * `false` adds carts that lack some of the lines, after all others.
   */
  full_carts_only?: boolean;
}
/**
 * Whole carts of stores near the place.
 */
export interface SearchCartsAnswer {
  /**
   * At most 20: full carts that meet the store's order minimum, cheapest first; then full carts under it; then, if requested, carts that lack lines, the fewest first. Of equal ones the nearest come first.
   */
  carts: Cart[];
}
export interface SearchPlacesQuery {
  /**
   * Words of the name, and of the address if there are many of that name. The last may be unfinished.
   */
  search: string;
  /**
   * Degrees north; nearer matches come first. Comes with the longitude.
   */
  location_bias_latitude?: number;
  /**
   * Degrees east; comes with the latitude.
   */
  location_bias_longitude?: number;
  /**
   * Meters. Equally good matches within it come first; it cuts nothing off.
   */
  location_bias_radius?: number;
  /**
   * What is searched for.
   */
  search_type?: 'place';
  /**
   * `true` keeps the places that are open now by their published hours.
   */
  open_filter?: boolean;
}
/**
 * The places found; none is an empty list.
 */
export interface SearchPlacesAnswer {
  /**
   * At most 20, best first.
   */
  places: Place[];
}
export interface SearchProductsQuery {
  /**
   * Words that a product must have in its name, its size or its category. After those with one in the name come products of the category, and of restaurants with the cuisine. Case, accents, punctuation and plurals do not matter, nor does a typo in a word of 4 to 7 letters, or two in a longer one. The last word may be unfinished where nothing has it whole. What follows the first 24 words, or 512 characters, is not looked for. Needed where there are no upc_codes, diet and without.
   */
  query?: string;
  /**
   * Comma-separated codes of 8 (UPC-E, EAN-8), 12, 13 or 14 digits with their check digit, at most 50: products that have one of them, however it is written. With `query` both must hold.
   */
  upc_codes?: string;
  /**
   * Only this store, however far it is from the place.
   */
  store_id?: string;
  /**
   * `true` keeps the stores that take orders now, as soon as possible, as their quotes say: of the mode of `pickup`, of delivery with `delivers_here`, else of either.
   */
  accepting?: boolean;
  /**
   * Degrees north of the place to search near. Required without `address`.
   */
  user_latitude?: number;
  /**
   * Degrees east of the place to search near. Required without `address`.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada, instead of the coordinate: it is looked up. With both, the coordinate counts.
   */
  address?: string;
  /**
   * Both when omitted.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * `true` for what is sold for pickup, `false` for what is delivered; either when omitted, and then prices are for delivery where it is delivered.
   */
  pickup?: boolean;
  /**
   * `true` keeps the stores that are open now.
   */
  open?: boolean;
  /**
   * `true` keeps the stores that deliver to the place, by any party, whether or not they accept orders now.
   */
  delivers_here?: boolean;
  /**
   * Great-circle radius; none when omitted.
   */
  maximum_miles?: number;
  /**
   * Comma-separated: vegan, vegetarian, gluten_free, halal, kosher. Only products whose `food` states every one of them.
   */
  diet?: string;
  /**
   * Comma-separated: milk, eggs, fish, crustaceans, tree_nuts, peanuts, wheat, soybeans, sesame, mustard, molluscs, sulphites. Only products whose `food` has both `allergens` and `may_contain`, and names none of them in either.
   */
  without?: string;
  /**
   * By relevance better answers come first, then nearer stores, then lower prices. `cheapest` goes by the price of the product, `unit_price` by that of a gram or a milliliter, with products without a size last; `distance`, `rating` and `fastest` by its store.
   */
  sort?: 'relevance' | 'distance' | 'rating' | 'cheapest' | 'fastest' | 'unit_price';
  /**
   * `next_page` of the page before. Past the last product the page is empty.
   */
  page?: number;
}
/**
 * A page of at most 50 products; past the last one it is empty.
 */
export interface SearchProductsAnswer {
  products: FoundProduct[];
  /**
   * Words of `query` that were left out, because no product nearby has them all: `["large", "diced"]` for `large onion, diced`. Otherwise empty.
   */
  relaxed: string[];
  /**
   * Send it as `page` to get the following page. It need not be one more.
   */
  next_page: number;
}
export interface SearchStoresQuery {
  /**
   * Degrees north of the place to search near. Required without `address`.
   */
  latitude?: number;
  /**
   * Degrees east of the place to search near. Required without `address`.
   */
  longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada, instead of the coordinate: it is looked up. With both, the coordinate counts.
   */
  address?: string;
  /**
   * Words of a store name, of what the store is (`coffee`) or where (`houston`). Case, accents and punctuation do not matter; one typo is forgiven in a word of 4 to 7 letters, two in a longer one. Where no store near matches every word, stores that match some follow. A page then holds at most 20 stores, without it 100.
   */
  query?: string;
  /**
   * Both when omitted.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * Part of the address of the user's door; accepted, and narrows nothing by itself.
   */
  user_street_num?: string;
  /**
   * Part of the address of the user's door; accepted, and narrows nothing by itself.
   */
  user_street_name?: string;
  /**
   * Part of the address of the user's door; accepted, and narrows nothing by itself.
   */
  user_city?: string;
  /**
   * Part of the address of the user's door; accepted, and narrows nothing by itself.
   */
  user_state?: string;
  /**
   * Part of the address of the user's door; accepted, and narrows nothing by itself.
   */
  user_zipcode?: string;
  /**
   * Part of the address of the user's door; accepted, and narrows nothing by itself.
   */
  user_country?: string;
  /**
   * `true` for stores that offer pickup, `false` for stores that offer delivery.
   */
  pickup?: boolean;
  /**
   * By relevance better matches of `query` come first, then nearer stores. Unknown ratings, price levels and times come last; ties go by distance.
   */
  sort?: 'relevance' | 'distance' | 'rating' | 'cheapest' | 'fastest';
  /**
   * `true` keeps the stores that are open now.
   */
  open?: boolean;
  /**
   * `true` keeps the stores that deliver to `latitude` and `longitude`, by any party, whether or not they accept orders now.
   */
  delivers_here?: boolean;
  /**
   * `true` keeps the stores that take orders now, as soon as possible, as their quotes say: of the mode of `pickup`, of delivery with `delivers_here`, else of either.
   */
  accepting?: boolean;
  /**
   * `true` keeps the stores that list an offer.
   */
  has_offer?: boolean;
  /**
   * `true` keeps the stores that have a menu or an assortment.
   */
  has_menu?: boolean;
  /**
   * Great-circle radius; none when omitted.
   */
  maximum_miles?: number;
  /**
   * `store` looks for `query` in store names; `item` finds stores that sell a product with all words of `query` in its name, by relevance the exact words first.
   */
  search_focus?: 'store' | 'item';
  /**
   * `true` lets the last word of `query` be unfinished.
   */
  autocomplete?: boolean;
  /**
   * `next_page` of the page before. Past the last store the page is empty.
   */
  page?: number;
  /**
   * One of the store's `cuisines`, whatever its case and accents.
   */
  cuisine?: string;
  /**
   * Exactly this price level.
   */
  dollar_signs?: number;
  /**
   * Leaves out unrated stores too.
   */
  minimum_rating?: number;
  /**
   * South of a map's viewport; give all four of its bounds or none.
   */
  min_lat?: number;
  /**
   * North of the viewport.
   */
  max_lat?: number;
  /**
   * West of the viewport; over `max_lon` it crosses the antimeridian.
   */
  min_lon?: number;
  /**
   * East of the viewport.
   */
  max_lon?: number;
  /**
   * Comma-separated fields of a store to answer with: _id, name, phone_number, phone_extension, address, type, description, local_hours, cuisines, food_photos, logo_photos, store_photos, dollar_signs, pickup_enabled, delivery_enabled, is_open, opens_at, closes_at, closed_reason, offers_first_party_delivery, offers_third_party_delivery, miles, accepts_orders, weighted_rating_value, aggregated_rating_count, supports_upc_codes, offers. Always there: _id, name, address, type, is_open.
   */
  projections?: string;
}
/**
 * A page of stores; past the last store it is empty.
 */
export interface SearchStoresAnswer {
  stores: Store[];
  /**
   * Send it as `page` to get the following page.
   */
  next_page: number;
}
export type TestWebhookBody = Record<string, never>;
/**
 * It will be made at once.
 */
export interface TestWebhookAnswer {
  /**
   * Of the call.
   */
  webhook_id: string;
}
export interface TipOrderBody {
  /**
   * A placed delivery.
   */
  order_id: string;
  /**
   * Cents. The whole tip.
   */
  driver_tip_cents: number;
}
export interface UpdateOrderBody {
  /**
   * A placed order.
   */
  order_id: string;
  /**
   * Apartment, suite or floor.
   */
  user_apt_num?: string;
  /**
   * For the driver.
   */
  user_dropoff_notes?: string;
  /**
   * For who hands the order out.
   */
  user_pickup_notes?: string;
  /**
   * How it is handed over; absent where nothing was chosen.
   */
  drop_off?: {
    /**
     * Of a delivery.
     */
    where: 'hand_to_me' | 'leave_at_door' | 'meet_outside';
    /**
     * Whether the customer wants utensils.
     */
    utensils: boolean;
    /**
     * If `true`, the customer's order page shows a four-digit PIN, which is required as `code` to complete the order.
     */
    code: boolean;
  };
  /**
   * Needed to place; a placed order always has one.
   */
  user_name?: string;
  /**
   * Needed to place; a placed order always has one. Ten digits are a number of the US or Canada; any other has its country code, in a string after `+`. A string is read in any notation, and may end in an extension.
   */
  user_phone?: number | string;
}

/** What the service posts to an endpoint: `type` tells which. */
export type WebhookEvent =
  | OrderPlacedEvent
  | OrderConfirmedEvent
  | OrderDelayedEvent
  | OrderItemChangedEvent
  | OrderWeighedEvent
  | OrderUpdatedEvent
  | OrderReadyEvent
  | OrderDriverAssignedEvent
  | OrderPickedUpEvent
  | OrderDriverNearbyEvent
  | OrderCompletedEvent
  | OrderCapturedEvent
  | OrderHoldDeclinedEvent
  | OrderCanceledEvent
  | OrderRefundedEvent
  | OrderTippedEvent
  | WebhookTestEvent;

/** The codes of refusals. */
export const PROBLEM_CODES = [
  'address_not_found',
  'agreement_required',
  'answer_forgotten',
  'body_too_large',
  'card_numbers_not_accepted',
  'contact_taken',
  'cross_site_request',
  'geocoder_not_configured',
  'idempotency_conflict',
  'idempotency_in_progress',
  'internal_error',
  'invalid_api_key',
  'invalid_options',
  'invalid_request',
  'key_is_publishable',
  'markup_not_allowed',
  'method_not_allowed',
  'missing_api_key',
  'mixed_stores',
  'not_found',
  'not_ready',
  'order_minimum_not_met',
  'order_not_found',
  'order_open',
  'origin_not_allowed',
  'payment_declined',
  'payment_gateway_not_configured',
  'payment_method_mismatch',
  'payment_method_not_found',
  'payment_token_not_accepted',
  'pickup_not_supported',
  'product_not_found',
  'product_unavailable',
  'promotion_exists',
  'promotion_not_applied',
  'quote_changed',
  'quote_unavailable',
  'rate_limited',
  'refund_not_allowed',
  'route_not_found',
  'sandbox_only',
  'scope_not_allowed',
  'slot_unavailable',
  'store_not_found',
  'subcategory_not_found',
  'tax_unavailable',
  'tip_not_allowed',
  'tls_required',
  'too_many_declines',
  'transition_not_allowed',
  'unsupported_media_type',
  'upstream_unavailable',
  'webhook_call_not_found',
  'webhook_endpoint_not_allowed',
  'webhook_not_found',
] as const;

/** The code of a refusal, for programs to decide by. */
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** What each operation asks and answers. An answer that is no JSON is its bytes. */
export interface Operations {
  addStore: {
    path: undefined;
    query: AddStoreQuery;
    body: undefined;
    answer: AddStoreAnswer;
  };
  addWebhook: {
    path: undefined;
    query: undefined;
    body: AddWebhookBody;
    answer: AddWebhookAnswer;
  };
  advanceSandboxOrder: {
    path: { order_id: string };
    query: undefined;
    body: AdvanceSandboxOrderBody;
    answer: Order;
  };
  cancelOrder: {
    path: undefined;
    query: undefined;
    body: CancelOrderBody;
    answer: Order;
  };
  changeAccountPromotion: {
    path: { promotion_id: string };
    query: undefined;
    body: ChangeAccountPromotionBody;
    answer: Promotion;
  };
  createAccountPromotion: {
    path: undefined;
    query: undefined;
    body: CreateAccountPromotionBody;
    answer: Promotion;
  };
  createCardSetup: {
    path: undefined;
    query: undefined;
    body: CreateCardSetupBody;
    answer: CreateCardSetupAnswer;
  };
  createOrder: {
    path: undefined;
    query: undefined;
    body: CreateOrderBody;
    answer: PlacedOrder;
  };
  createPaymentMethod: {
    path: undefined;
    query: undefined;
    body: CreatePaymentMethodBody;
    answer: CreatePaymentMethodAnswer;
  };
  deleteCustomer: {
    path: { user_id: string };
    query: undefined;
    body: undefined;
    answer: DeleteCustomerAnswer;
  };
  deletePaymentMethod: {
    path: undefined;
    query: undefined;
    body: DeletePaymentMethodBody;
    answer: DeletePaymentMethodAnswer;
  };
  endAccountPromotion: {
    path: { promotion_id: string };
    query: undefined;
    body: EndAccountPromotionBody;
    answer: Promotion;
  };
  exchangeMcpMessage: {
    path: undefined;
    query: undefined;
    body: ExchangeMcpMessageBody;
    answer: ExchangeMcpMessageAnswer;
  };
  finalizeOrder: {
    path: undefined;
    query: undefined;
    body: FinalizeOrderBody;
    answer: PlacedOrder;
  };
  forgetUser: {
    path: undefined;
    query: undefined;
    body: ForgetUserBody;
    answer: ForgottenUser;
  };
  geocode: {
    path: undefined;
    query: GeocodeQuery;
    body: undefined;
    answer: GeocodeAnswer;
  };
  listAccountPromotions: {
    path: undefined;
    query: ListAccountPromotionsQuery;
    body: undefined;
    answer: ListAccountPromotionsAnswer;
  };
  listEvents: {
    path: undefined;
    query: ListEventsQuery;
    body: undefined;
    answer: ListEventsAnswer;
  };
  listOrderEvents: {
    path: { order_id: string };
    query: ListOrderEventsQuery;
    body: undefined;
    answer: ListOrderEventsAnswer;
  };
  listOrders: {
    path: undefined;
    query: ListOrdersQuery;
    body: undefined;
    answer: ListOrdersAnswer;
  };
  listPaymentMethods: {
    path: undefined;
    query: ListPaymentMethodsQuery;
    body: undefined;
    answer: ListPaymentMethodsAnswer;
  };
  listRequests: {
    path: undefined;
    query: ListRequestsQuery;
    body: undefined;
    answer: ListRequestsAnswer;
  };
  listSandboxCharges: {
    path: undefined;
    query: ListSandboxChargesQuery;
    body: undefined;
    answer: ListSandboxChargesAnswer;
  };
  listSandboxMessages: {
    path: undefined;
    query: ListSandboxMessagesQuery;
    body: undefined;
    answer: ListSandboxMessagesAnswer;
  };
  pauseAccountPromotion: {
    path: { promotion_id: string };
    query: undefined;
    body: PauseAccountPromotionBody;
    answer: Promotion;
  };
  readCustomer: {
    path: { user_id: string };
    query: undefined;
    body: undefined;
    answer: Customer;
  };
  readInventory: {
    path: undefined;
    query: ReadInventoryQuery;
    body: undefined;
    answer: Inventory;
  };
  readProduct: {
    path: undefined;
    query: ReadProductQuery;
    body: undefined;
    answer: Product;
  };
  readProof: {
    path: { order_id: string };
    query: undefined;
    body: undefined;
    answer: ReadProofAnswer;
  };
  readProofPhoto: {
    path: { order_id: string };
    query: undefined;
    body: undefined;
    answer: Uint8Array;
  };
  readStores: {
    path: undefined;
    query: ReadStoresQuery;
    body: undefined;
    answer: ReadStoresAnswer;
  };
  readWebhook: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ReadWebhookAnswer;
  };
  refundOrder: {
    path: undefined;
    query: undefined;
    body: RefundOrderBody;
    answer: Refund;
  };
  removeWebhook: {
    path: undefined;
    query: undefined;
    body: RemoveWebhookBody;
    answer: RemoveWebhookAnswer;
  };
  replayWebhook: {
    path: undefined;
    query: undefined;
    body: ReplayWebhookBody;
    answer: ReplayWebhookAnswer;
  };
  resumeAccountPromotion: {
    path: { promotion_id: string };
    query: undefined;
    body: ResumeAccountPromotionBody;
    answer: Promotion;
  };
  saveCustomer: {
    path: { user_id: string };
    query: undefined;
    body: SaveCustomerBody;
    answer: Customer;
  };
  searchCarts: {
    path: undefined;
    query: SearchCartsQuery;
    body: undefined;
    answer: SearchCartsAnswer;
  };
  searchPlaces: {
    path: undefined;
    query: SearchPlacesQuery;
    body: undefined;
    answer: SearchPlacesAnswer;
  };
  searchProducts: {
    path: undefined;
    query: SearchProductsQuery;
    body: undefined;
    answer: SearchProductsAnswer;
  };
  searchStores: {
    path: undefined;
    query: SearchStoresQuery;
    body: undefined;
    answer: SearchStoresAnswer;
  };
  showAccountPromotion: {
    path: { promotion_id: string };
    query: undefined;
    body: undefined;
    answer: Promotion;
  };
  testWebhook: {
    path: undefined;
    query: undefined;
    body: TestWebhookBody;
    answer: TestWebhookAnswer;
  };
  tipOrder: {
    path: undefined;
    query: undefined;
    body: TipOrderBody;
    answer: Order;
  };
  updateOrder: {
    path: undefined;
    query: undefined;
    body: UpdateOrderBody;
    answer: Order;
  };
}

/** Where each operation is. */
export const OPERATIONS = {
  addStore: { method: 'GET', path: '/utils/add_store', takesIdempotencyKey: false },
  addWebhook: { method: 'POST', path: '/account/tracking/add_webhook', takesIdempotencyKey: true },
  advanceSandboxOrder: { method: 'POST', path: '/sandbox/orders/{order_id}/advance', takesIdempotencyKey: true },
  cancelOrder: { method: 'POST', path: '/order/cancel', takesIdempotencyKey: true },
  changeAccountPromotion: { method: 'POST', path: '/account/promotions/{promotion_id}', takesIdempotencyKey: true },
  createAccountPromotion: { method: 'POST', path: '/account/promotions', takesIdempotencyKey: true },
  createCardSetup: { method: 'POST', path: '/payment/setup', takesIdempotencyKey: true },
  createOrder: { method: 'POST', path: '/order/order/v2', takesIdempotencyKey: true },
  createPaymentMethod: { method: 'POST', path: '/payment/create', takesIdempotencyKey: true },
  deleteCustomer: { method: 'DELETE', path: '/account/customers/{user_id}', takesIdempotencyKey: false },
  deletePaymentMethod: { method: 'POST', path: '/payment/delete', takesIdempotencyKey: true },
  endAccountPromotion: { method: 'POST', path: '/account/promotions/{promotion_id}/end', takesIdempotencyKey: true },
  exchangeMcpMessage: { method: 'POST', path: '/mcp', takesIdempotencyKey: true },
  finalizeOrder: { method: 'POST', path: '/order/finalize', takesIdempotencyKey: true },
  forgetUser: { method: 'POST', path: '/account/forget_user', takesIdempotencyKey: true },
  geocode: { method: 'GET', path: '/utils/geocode', takesIdempotencyKey: false },
  listAccountPromotions: { method: 'GET', path: '/account/promotions', takesIdempotencyKey: false },
  listEvents: { method: 'GET', path: '/account/events', takesIdempotencyKey: false },
  listOrderEvents: { method: 'GET', path: '/account/orders/{order_id}/events', takesIdempotencyKey: false },
  listOrders: { method: 'GET', path: '/account/orders', takesIdempotencyKey: false },
  listPaymentMethods: { method: 'GET', path: '/payment/list', takesIdempotencyKey: false },
  listRequests: { method: 'GET', path: '/account/requests', takesIdempotencyKey: false },
  listSandboxCharges: { method: 'GET', path: '/sandbox/charges', takesIdempotencyKey: false },
  listSandboxMessages: { method: 'GET', path: '/sandbox/messages', takesIdempotencyKey: false },
  pauseAccountPromotion: { method: 'POST', path: '/account/promotions/{promotion_id}/pause', takesIdempotencyKey: true },
  readCustomer: { method: 'GET', path: '/account/customers/{user_id}', takesIdempotencyKey: false },
  readInventory: { method: 'GET', path: '/details/inventory', takesIdempotencyKey: false },
  readProduct: { method: 'GET', path: '/details/product', takesIdempotencyKey: false },
  readProof: { method: 'GET', path: '/account/orders/{order_id}/proof', takesIdempotencyKey: false },
  readProofPhoto: { method: 'GET', path: '/account/orders/{order_id}/proof/photo', takesIdempotencyKey: false },
  readStores: { method: 'GET', path: '/details/store', takesIdempotencyKey: false },
  readWebhook: { method: 'GET', path: '/account/tracking/webhook', takesIdempotencyKey: false },
  refundOrder: { method: 'POST', path: '/order/refund', takesIdempotencyKey: true },
  removeWebhook: { method: 'POST', path: '/account/tracking/remove_webhook', takesIdempotencyKey: true },
  replayWebhook: { method: 'POST', path: '/account/tracking/webhook/replay', takesIdempotencyKey: true },
  resumeAccountPromotion: { method: 'POST', path: '/account/promotions/{promotion_id}/resume', takesIdempotencyKey: true },
  saveCustomer: { method: 'PUT', path: '/account/customers/{user_id}', takesIdempotencyKey: false },
  searchCarts: { method: 'GET', path: '/search/cart', takesIdempotencyKey: false },
  searchPlaces: { method: 'GET', path: '/places/search', takesIdempotencyKey: false },
  searchProducts: { method: 'GET', path: '/search/product/v4', takesIdempotencyKey: false },
  searchStores: { method: 'GET', path: '/search/store/v3', takesIdempotencyKey: false },
  showAccountPromotion: { method: 'GET', path: '/account/promotions/{promotion_id}', takesIdempotencyKey: false },
  testWebhook: { method: 'POST', path: '/account/tracking/webhook/test', takesIdempotencyKey: true },
  tipOrder: { method: 'POST', path: '/order/tip', takesIdempotencyKey: true },
  updateOrder: { method: 'POST', path: '/order/update', takesIdempotencyKey: true },
} as const satisfies Record<keyof Operations, object>;
