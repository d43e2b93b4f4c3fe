/**
 * The types and the operations of the service's API, for account keys. `npm run client-types` writes this file from the
 * service's description; a test fails where the two differ.
 */

/**
 * The price and times of an order, or only an `error` that says why there is no quote.
 */
export type Quote = FullQuote | QuoteError;
/**
 * An order event. See `type`.
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
 * The fees that your account adds to the receipt.
 */
export interface AddedFees {
  /**
   * The request's `added_fee_flat`. In cents.
   */
  flat_fee_cents: number;
  /**
   * The request's `added_fee_percent`.
   */
  percent_fee: number;
  is_fee_taxable: boolean;
  /**
   * The fee. In cents.
   */
  total_fee_cents: number;
  /**
   * The tax on the markup and, if the fee is taxable, on the fee. In cents.
   */
  sales_tax_cents: number;
  /**
   * The taxes that add up to `sales_tax_cents`.
   */
  taxes: Tax[];
}
/**
 * A tax on an order.
 */
export interface Tax {
  /**
   * The tax's name, such as `QST`.
   */
  name: string;
  /**
   * Rounded once. In cents.
   */
  amount: number;
}
/**
 * A store's cart: its products and prices.
 */
export interface Cart {
  /**
   * The ID for inventory and quote requests.
   */
  store_id: string;
  store: FoundStore;
  /**
   * The products by query line: first the product that the cart is priced with, then up to 4 alternatives. Lines without a match are omitted.
   */
  products: {
    [k: string]: CartProduct[];
  };
  /**
   * Whether the cart is priced for pickup instead of delivery.
   */
  pickup: boolean;
  /**
   * All products in the cart. In cents.
   */
  subtotal: number;
  /**
   * The fee for the whole cart. In cents.
   */
  delivery_fee_cents: number;
  /**
   * The fee for the whole cart. In cents.
   */
  service_fee_cents: number;
  /**
   * Zero unless the subtotal is below the store's small-order threshold. In cents.
   */
  small_order_fee_cents: number;
  /**
   * The tax on the cart and its taxable fees. In cents.
   */
  sales_tax_cents: number;
  /**
   * The taxes that add up to `sales_tax_cents`.
   */
  taxes: Tax[];
  /**
   * Automatic promotions, included in the total. Absent if none. In cents.
   */
  discount_cents?: number;
  /**
   * The cart's total before a tip, which an order would be charged. In cents.
   */
  grand_total: number;
  /**
   * Whether the cart contains every line.
   */
  is_full_cart: boolean;
  /**
   * The lines that this cart lacks.
   */
  missing: string[];
  /**
   * The store's minimum subtotal. In cents.
   */
  order_minimum: number;
  /**
   * Whether the subtotal reaches the minimum.
   */
  meets_order_minimum: boolean;
}
/**
 * The store that sells a product or a cart.
 */
export interface FoundStore {
  /**
   * The store's name.
   */
  name: string;
  address: StoreAddress;
  /**
   * Whether the store is open by its published hours. The quote says whether it accepts orders.
   */
  is_open: boolean;
  /**
   * The great-circle distance from the searched coordinate, to two decimals.
   */
  miles: number;
}
/**
 * The store's address.
 */
export interface StoreAddress {
  /**
   * The house number and street.
   */
  street_addr: string;
  city: string;
  /**
   * The state or province in two letters.
   */
  state: string;
  zipcode: string;
  /**
   * `US` or `CA`.
   */
  country: string;
  /**
   * The suite, unit or similar. May be empty.
   */
  street_addr_2: string;
  /**
   * The latitude in degrees.
   */
  latitude: number;
  /**
   * The longitude in degrees.
   */
  longitude: number;
}
/**
 * A product that matches a line. `unit_price` is present only if its size allows it.
 */
export interface CartProduct {
  /**
   * The ID for inventory and quote requests.
   */
  store_id: string;
  store: FoundStore;
  /**
   * The product's name.
   */
  name: string;
  /**
   * An opaque ID. Send it to order the product or to get its details.
   */
  product_id: string;
  /**
   * The price of one without options in cents, for the requested fulfillment type. Otherwise for delivery, or for pickup if it isn't delivered.
   */
  price: number;
  /**
   * The regular price in cents if the product is on sale. Otherwise, the price.
   */
  original_price: number;
  /**
   * The price to display, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * A URL.
   */
  image: string | null;
  /**
   * The size of one, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * The unit, such as `lb`, `oz` or `ct`. May be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Present only for products sold by weight.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * For items sold by weight, the price per unit, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * The approximate price of one piece, for items sold by weight that can be ordered by the piece. In cents.
   */
  estimated_piece_price?: number;
  /**
   * The value from the store's feed. Null if there is none.
   */
  upc_code: string | null;
  /**
   * The facts for the product with its default options. Null if unknown.
   */
  food: Food | null;
  /**
   * The store's category that contains it.
   */
  category: string;
  /**
   * The quantity. For items sold by weight, a decimal of their unit with up to three places.
   */
  quantity: number;
  /**
   * Only for items sold by weight and ordered by the piece.
   */
  pieces?: number;
  /**
   * The estimated price of the line, for items sold by weight. In cents.
   */
  estimated_price?: number;
  /**
   * The price of one with the cheapest required options, used for the cart. In cents.
   */
  min_price: number;
}
/**
 * The unit price by weight or volume, as shelf labels in the store's country show it. Present only if `unit_size` and `unit_of_measurement` specify a size, and for prices of at least half a cent.
 */
export interface UnitPrice {
  /**
   * The price of `per` units, rounded once. In cents.
   */
  cents: number;
  /**
   * 1, or 100 for `g` and `ml`.
   */
  per: number;
  unit: 'lb' | 'oz' | 'fl oz' | 'gal' | 'g' | 'kg' | 'ml' | 'L';
}
/**
 * How a product is sold by weight. Decimals have up to three places.
 */
export interface Weight {
  unit: 'lb' | 'oz' | 'kg' | 'g';
  /**
   * The number of units that its prices are for.
   */
  price_per: number;
  /**
   * Orders are multiples of this step.
   */
  step: number;
  /**
   * The minimum order quantity.
   */
  min: number;
  /**
   * The maximum order quantity.
   */
  max: number;
  /**
   * The approximate weight of one piece. Absent if it can't be ordered by the piece.
   */
  piece_weight?: number;
  /**
   * How far the measured weight may exceed the ordered weight.
   */
  tolerance_percent: number;
}
/**
 * The food's ingredients and nutrition facts, as provided by the store. Unknown never means none.
 */
export interface Food {
  /**
   * The allergens that it contains. Null where unknown; empty where there are none.
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
   * Allergens that it may contain as traces, in addition to `allergens`. Null where unknown; empty where there are none.
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
   * The diets that it's suitable for. Null where unknown; empty where there are none.
   */
  diets: ('vegan' | 'vegetarian' | 'gluten_free' | 'halal' | 'kosher')[] | null;
  /**
   * Null if unknown.
   */
  nutrition: Nutrition | null;
  /**
   * The country or region that it comes from, as written in the feed.
   */
  source: string | null;
}
/**
 * Nutrition facts per unit as sold.
 */
export interface Nutrition {
  /**
   * Kilocalories. Null if unknown.
   */
  calories: number | null;
  /**
   * All fat. In grams. Null if unknown.
   */
  fat: number | null;
  /**
   * Included in the total fat. In grams. Null if unknown.
   */
  saturated_fat: number | null;
  /**
   * Included in the total fat. In grams. Null if unknown.
   */
  trans_fat: number | null;
  /**
   * Nutrition labels show it in milligrams. In grams. Null if unknown.
   */
  cholesterol: number | null;
  /**
   * Nutrition labels show it in milligrams. One gram of salt contains 0.4. In grams. Null if unknown.
   */
  sodium: number | null;
  /**
   * All carbohydrates, including fiber and sugars. In grams. Null if unknown.
   */
  carbohydrates: number | null;
  /**
   * Included in the carbohydrates. In grams. Null if unknown.
   */
  fiber: number | null;
  /**
   * Included in the carbohydrates. In grams. Null if unknown.
   */
  sugars: number | null;
  /**
   * Included in the sugars. In grams. Null if unknown.
   */
  added_sugars: number | null;
  /**
   * All protein. In grams. Null if unknown.
   */
  protein: number | null;
}
/**
 * An inventory category.
 */
export interface Category {
  name: string;
  /**
   * An opaque ID. Send it to get the next level of this category.
   */
  subcategory_id: string;
  /**
   * Whether the category contains subcategories. Otherwise, it contains the products.
   */
  has_subcategories: boolean;
  /**
   * The number of products on sale for the fulfillment type, in this category and its subcategories.
   */
  product_count: number;
  /**
   * Empty for a grocery store, unless a category without subcategories is requested.
   */
  menu_item_list: MenuItem[];
  /**
   * The subcategories. Present only with `category_tree`.
   */
  subcategories?: Category[];
}
/**
 * A product in an inventory. `unit_price` is present only if its size allows it.
 */
export interface MenuItem {
  name: string;
  /**
   * The price of one without options, for the requested fulfillment type. In cents.
   */
  price: number;
  /**
   * The price with the cheapest selection of required options. In cents.
   */
  min_price: number;
  /**
   * The regular price if the product is on sale. Otherwise, the price. In cents.
   */
  original_price: number;
  /**
   * The price to display, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * The number of units left. Null if stock isn't counted.
   */
  qty_available: number | null;
  /**
   * The size of one, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * The unit, such as `lb`, `oz` or `ct`. May be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Present only for products sold by weight.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * For items sold by weight, the price per unit, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * The approximate price of one piece, for items sold by weight that can be ordered by the piece. In cents.
   */
  estimated_piece_price?: number;
  /**
   * An opaque ID. Send it to order the product or to get its details.
   */
  product_id: string;
  /**
   * The product's tax category.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * The facts for the product with its default options. Each option provides its own. Null if unknown.
   */
  food: Food | null;
  /**
   * Always false: images are served unchanged.
   */
  supports_image_scaling: boolean;
  /**
   * May be empty.
   */
  description: string;
  /**
   * A URL. Absent if there is none.
   */
  image?: string;
  /**
   * A URL. Absent if there is none.
   */
  thumbnail_image?: string;
  /**
   * Empty if there are none, or if they must be retrieved separately.
   */
  customizations: Customization[];
  /**
   * `true` if there are too many customizations to list here. Get them from the product details.
   */
  should_fetch_customizations: boolean;
  /**
   * Whether the product can be ordered now: in stock and within its menu hours.
   */
  is_available: boolean;
  /**
   * When its menu hours next begin, in epoch seconds. Null if they never do. Absent within its menu hours.
   */
  available_at?: number | null;
}
/**
 * A customization: a group of options for a product, or nested in an option.
 */
export interface Customization {
  name: string;
  /**
   * The minimum number of different options to select.
   */
  min_choice_options: number;
  /**
   * The maximum number of different options to select.
   */
  max_choice_options: number;
  /**
   * The minimum number of units, added up over its options. Absent if there's no minimum.
   */
  min_total_units?: number;
  /**
   * The maximum number of units. Absent if there's no maximum.
   */
  max_total_units?: number;
  options: Option[];
  customization_id: string;
}
/**
 * An option that can be selected.
 */
export interface Option {
  name: string;
  /**
   * The price of one, added to the product's price. In cents.
   */
  price: number;
  /**
   * The price to display, such as `$1.50`.
   */
  formatted_price: string;
  /**
   * Nested customizations, to any depth. They apply if this option is selected.
   */
  customizations: Customization[];
  /**
   * The number of units that a menu preselects.
   */
  default_qty: number;
  /**
   * The minimum number of units if it's selected.
   */
  min_qty: number;
  /**
   * The maximum number of units.
   */
  max_qty: number;
  /**
   * Prices in cents by the `option_id` of another option. If that option is selected too, this option has that price. The highest applies if several are selected.
   */
  conditional_price: {
    [k: string]: number;
  };
  /**
   * Send it in `selected_options` to order the option.
   */
  option_id: string;
  /**
   * Present only if it differs from the product's.
   */
  tax_class?: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * The option's own facts. Null if unknown.
   */
  food: Food | null;
}
/**
 * A charge recorded by the sandbox gateway.
 */
export interface Charge {
  /**
   * The gateway's own ID.
   */
  charge_id: string;
  /**
   * The charged order.
   */
  order_id: string;
  /**
   * The card. Empty if it isn't yours.
   */
  payment_method_id: string;
  /**
   * The charged or requested amount, in cents.
   */
  amount: number;
  /**
   * The authorized amount in cents. Present only for an authorization.
   */
  authorized_amount?: number;
  /**
   * The captured amount in cents. Present only for an authorization.
   */
  captured_amount?: number;
  /**
   * The refunded amount in cents.
   */
  refunded_amount: number;
  /**
   * `declined`: nothing was charged. `to_collect`: cash to collect at handoff. `authorized`: not captured yet. `voided`: authorized but never captured.
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
   * Absent if there is none.
   */
  email?: string;
  /**
   * In E.164 format. Absent if there is none.
   */
  phone?: string;
  /**
   * Absent if there is none.
   */
  first_name?: string;
  /**
   * Absent if there is none.
   */
  last_name?: string;
  /**
   * The apps connected by the customer, newest first.
   */
  connections: {
    client_name: string;
    /**
     * Empty for an app on the customer's device.
     */
    client_host: string;
    scope: string;
    /**
     * Absent if it can't place orders.
     */
    max_order_cents?: number;
    /**
     * When the customer allowed it, in epoch seconds.
     */
    created_at: number;
  }[];
}
/**
 * The delivery fee.
 */
export interface DeliveryFee {
  /**
   * Zero for pickup. In cents.
   */
  delivery_fee_flat: number;
  /**
   * A percentage of the subtotal, added to the amount. In percent.
   */
  delivery_fee_percent: number;
  delivery_fee_taxable: boolean;
  /**
   * The entry with the largest `minimum_subtotal` that the order reaches replaces the fee.
   */
  threshold_fees: {
    /**
     * Applies from this subtotal. In cents.
     */
    minimum_subtotal: number;
    /**
     * Instead. In cents.
     */
    delivery_fee_flat: number;
    /**
     * Instead. In percent.
     */
    delivery_fee_percent: number;
  }[];
}
/**
 * A discount on an order, and who pays for it.
 */
export interface Discount {
  /**
   * `waived`: the total is too small to charge.
   */
  promotion_id: string;
  /**
   * Up to one promotion of each type applies. `waived`: the total was below the card gateway's minimum, so nothing is charged and the operator pays it.
   */
  slot: 'store' | 'market' | 'delivery' | 'waived';
  /**
   * The promotion's title, or a description of it, in the customer's language.
   */
  title: string;
  /**
   * Absent if the promotion needs no code.
   */
  code?: string;
  /**
   * The discount's total amount. In cents.
   */
  amount: number;
  paid_by: {
    payer: 'store' | 'account' | 'operator';
    /**
     * In cents.
     */
    amount: number;
  }[];
  /**
   * The discounted items by their position in the order. Fixed once the order is placed.
   */
  lines: {
    index: number;
    /**
     * In cents.
     */
    amount: number;
  }[];
  /**
   * The part taken off the delivery fee. In cents.
   */
  delivery_amount: number;
}
/**
 * A validation error.
 */
export interface Fault {
  /**
   * The part of the request.
   */
  in: 'query' | 'body' | 'header' | 'path';
  /**
   * The field, such as `items[0].quantity`, or `body` for the whole body.
   */
  name: string;
  /**
   * An explanation for people.
   */
  message: string;
}
/**
 * The breakdown of the order's total.
 */
export interface FinalQuote {
  /**
   * The same as `quote_id`.
   */
  id: string;
  quote_id: string;
  /**
   * The store's name.
   */
  store: string;
  /**
   * Differs from the requested store if the order was moved to a substitute store.
   */
  store_id: string;
  /**
   * The address on one line.
   */
  store_address: string;
  quote: FinalQuoteTotals;
  /**
   * The amount that marked prices add to `quote.subtotal`, negative if they are lower. `total_with_tip` is the sum of `quote.subtotal`, this amount, the three fees and the tax in `quote`, `added_fees` with its tax, `misc_fees` and `tip`, minus `discount_cents`. In cents.
   */
  markup_cents: number;
  /**
   * The sum of `discounts`, plus the cost of items sold by weight above the maximum that the customer pays. Absent if zero. In cents.
   */
  discount_cents?: number;
  /**
   * By slot. Absent if there are none.
   */
  discounts?: Discount[];
  /**
   * The request's codes that do not apply. Absent if all of them apply.
   */
  rejected_codes?: RejectedCode[];
  added_fees: AddedFees;
  misc_fees: MiscFee[];
  /**
   * The full tip, including later additions. Zero for pickup. In cents.
   */
  tip: number;
  /**
   * The total charge. For orders with items sold by weight, an estimate until they are weighed. In cents.
   */
  total_with_tip: number;
  /**
   * With goods by weight, as ordered: the most that is charged, which the card holds. Absent without any. In cents.
   */
  at_most_cents?: number;
  /**
   * Present only if no card can be authorized for `at_most_cents`. Placing the order then captures that amount, and any difference after weighing is refunded.
   */
  is_taken_now?: true;
  items: QuotedItem[];
}
/**
 * The store's part of the total, and the order's estimated times.
 */
export interface FinalQuoteTotals {
  /**
   * The sum of the items with their options. In cents.
   */
  subtotal: number;
  /**
   * Zero for pickup. In cents.
   */
  delivery_fee_cents: number;
  /**
   * In cents.
   */
  service_fee_cents: number;
  /**
   * In cents.
   */
  small_order_fee_cents: number;
  /**
   * The sales tax, without the tax on added fees. In cents.
   */
  sales_tax_cents: number;
  /**
   * The taxes that add up to `sales_tax_cents`.
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
   * The subtotal, the three fees and the tax, minus discounts. In cents.
   */
  total_without_tips: number;
  /**
   * The same as `total_without_tips`. In cents.
   */
  total: number;
  /**
   * The arrival time at the delivery address, or at the store for pickup, such as `06:45 PM`.
   */
  expected_time_of_arrival: string;
  scheduled: OrderSlot;
}
/**
 * A scheduled order's slot. Empty for an order for as soon as possible.
 */
export interface OrderSlot {
  /**
   * The `scheduled_id`.
   */
  id?: string;
  /**
   * The slot's start, in epoch seconds.
   */
  minimum?: number;
  /**
   * The slot's end, in epoch seconds.
   */
  maximum?: number;
}
/**
 * A promotion code that does not apply.
 */
export interface RejectedCode {
  /**
   * The code as entered, in capital letters.
   */
  code: string;
  /**
   * Why the code does not apply. `not_valid`: the code is unknown or has expired.
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
   * With `minimum_not_met`, the amount the items lack to reach the minimum.
   */
  missing_cents?: number;
  /**
   * With `minimum_not_met`, the items that count. Absent: all items. Empty: items without a short name, such as more than three or a tax class.
   */
  items?: {
    /**
     * Categories and products. Absent: all but `except`.
     */
    names?: string[];
    /**
     * Categories and products that do not count.
     */
    except?: string[];
  };
}
/**
 * Another fee.
 */
export interface MiscFee {
  fee_name: string;
  /**
   * In cents.
   */
  fee_amount: number;
}
/**
 * An item of an order, as quoted.
 */
export interface QuotedItem {
  name: string;
  /**
   * The price of one without options. For items sold by weight, the price of `price_per` units. In cents.
   */
  base_price: number;
  /**
   * A whole number, except for items sold by weight.
   */
  quantity: number;
  /**
   * An image URL, or empty if there is none.
   */
  image: string;
  product_id: string;
  /**
   * The item's tax category.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * Present only for items sold by weight.
   */
  sold_by?: 'weight';
  /**
   * The unit of the item's quantities. Present only for items sold by weight.
   */
  unit?: 'lb' | 'oz' | 'kg' | 'g';
  /**
   * The number of units that the price is for. Present only for items sold by weight.
   */
  price_per?: number;
  /**
   * The number of pieces ordered. Absent if a weight was ordered.
   */
  pieces?: number;
  /**
   * The maximum weight charged. Present only for items sold by weight.
   */
  max_quantity?: number;
  /**
   * The discount on all units. Absent if there is none. In cents.
   */
  discount_cents?: number;
  /**
   * The regular price of one. Present only if the product is on sale at `unit_price`. In cents.
   */
  list_unit_price?: number;
  customizations: QuotedCustomization[];
}
/**
 * A customization and the options selected for it.
 */
export interface QuotedCustomization {
  name: string;
  customization_id: string;
  selected_options: QuotedOption[];
}
/**
 * A selected option.
 */
export interface QuotedOption {
  name: string;
  /**
   * The price of one, as charged in this order. In cents.
   */
  price: number;
  quantity: number;
  default_qty: number;
  option_id: string;
  /**
   * The options selected for this option.
   */
  customizations: QuotedCustomization[];
}
/**
 * The result of erasing a user's personal data.
 */
export interface ForgottenUser {
  /**
   * The number of orders whose personal data was erased.
   */
  orders: number;
  /**
   * The number of deleted unplaced orders.
   */
  unplaced_orders: number;
  /**
   * The number of cards deleted here and at the payment gateway.
   */
  cards: number;
  /**
   * Whether all personal data is erased. A request covers up to 1,000 orders: repeat it while this is `false`.
   */
  is_complete: boolean;
}
/**
 * A product found by a search. `unit_price` is present only if its size allows it.
 */
export interface FoundProduct {
  /**
   * The ID for inventory and quote requests.
   */
  store_id: string;
  store: FoundStore;
  /**
   * The product's name.
   */
  name: string;
  /**
   * An opaque ID. Send it to order the product or to get its details.
   */
  product_id: string;
  /**
   * The price of one without options in cents, for the requested fulfillment type. Otherwise for delivery, or for pickup if it isn't delivered.
   */
  price: number;
  /**
   * The regular price in cents if the product is on sale. Otherwise, the price.
   */
  original_price: number;
  /**
   * The price to display, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * A URL.
   */
  image: string | null;
  /**
   * The size of one, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * The unit, such as `lb`, `oz` or `ct`. May be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Present only for products sold by weight.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * For items sold by weight, the price per unit, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * The approximate price of one piece, for items sold by weight that can be ordered by the piece. In cents.
   */
  estimated_piece_price?: number;
  /**
   * The value from the store's feed. Null if there is none.
   */
  upc_code: string | null;
  /**
   * The facts for the product with its default options. Null if unknown.
   */
  food: Food | null;
  /**
   * The store's category that contains it.
   */
  category: string;
}
/**
 * The store's current prices, times and conditions for an order.
 */
export interface FullQuote {
  time_estimate: TimeEstimate;
  /**
   * The combined rate of all taxes on the store's default tax category. In percent.
   */
  sales_tax_percent: number;
  /**
   * The store's tax rates, each for its own tax categories.
   */
  taxes: TaxRate[];
  /**
   * The store's minimum subtotal. In cents.
   */
  order_minimum: number;
  delivery_fee: DeliveryFee;
  service_fee: ServiceFee;
  small_order_fee: SmallOrderFee;
  /**
   * Whether the store takes orders for as soon as possible. If not, order for a slot from `scheduled`.
   */
  asap_available: boolean;
  address: QuoteAddress;
  /**
   * Delivered by the store itself. Exactly one of the three is true.
   */
  first_party_quote: boolean;
  /**
   * Delivered by a marketplace.
   */
  third_party_quote: boolean;
  /**
   * Delivered by a courier.
   */
  courier_quote: boolean;
}
/**
 * The estimated times of arrival or pickup.
 */
export interface TimeEstimate {
  /**
   * Minutes from now, for an order for as soon as possible.
   */
  minimum: number;
  /**
   * Minutes from now.
   */
  maximum: number;
  /**
   * The slots available for this fulfillment type.
   */
  scheduled: Slot[];
}
/**
 * A slot for a scheduled delivery or pickup.
 */
export interface Slot {
  /**
   * An opaque ID. Send it as `scheduled_id` to order for this slot.
   */
  id: string;
  /**
   * The slot's start, in epoch seconds.
   */
  minimum: number;
  /**
   * The slot's end, in epoch seconds.
   */
  maximum: number;
  /**
   * The delivery fee for this slot.
   */
  delivery_fee: {
    /**
     * Zero for pickup. In cents.
     */
    delivery_fee_flat: number;
    /**
     * A percentage of the subtotal. In percent.
     */
    delivery_fee_percent: number;
    delivery_fee_taxable: boolean;
  };
}
/**
 * A tax rate at the store. Rates with the same name form one tax.
 */
export interface TaxRate {
  /**
   * The tax's name, such as `QST`.
   */
  name: string;
  /**
   * A percentage of the taxable amount. Each tax is rounded once. In percent.
   */
  percent: number;
  /**
   * The tax categories that it applies to. Absent if it applies to every category except `exempt`.
   */
  classes?: ('prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt')[];
}
/**
 * The service fee.
 */
export interface ServiceFee {
  /**
   * Zero for pickup in most stores. In cents.
   */
  service_fee_flat: number;
  /**
   * A percentage of the subtotal, added to the amount. In percent.
   */
  service_fee_percent: number;
  /**
   * The minimum fee. In cents.
   */
  service_fee_min: number;
  /**
   * The maximum fee. Absent if there is none. In cents.
   */
  service_fee_max?: number;
  service_fee_taxable: boolean;
}
/**
 * The small-order fee.
 */
export interface SmallOrderFee {
  /**
   * Subtotals below this amount pay the fee. In cents.
   */
  minimum_order_value: number;
  /**
   * Added once. In cents.
   */
  small_order_fee_flat: number;
  /**
   * A percentage of the subtotal, added to the amount. In percent.
   */
  small_order_fee_percent: number;
}
/**
 * The store's address.
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
 * A store's inventory for one fulfillment type, or one level of it. `quote` is present only with `include_quote`, and `quote_error` only if the quote contains an `error`.
 */
export interface Inventory {
  quote?: Quote;
  quote_error?: QuoteFailure;
  /**
   * The promotions that the store currently lists. Absent if there are none.
   */
  offers?: Offer[];
  /**
   * Changes exactly when the returned inventory changes.
   */
  menu_id: string;
  categories: Category[];
}
/**
 * The store currently takes no orders of this kind.
 */
export interface QuoteError {
  /**
   * The reason there is no quote.
   */
  error:
    | 'Delivery is currently unavailable for this store.'
    | 'Pickup is currently unavailable for this store.'
    | 'This store is closed.'
    | 'This store is out of range for the provided address.'
    | 'This store is not available.';
}
/**
 * The reason there is no quote, and until when. Present if `quote` contains only `error`.
 */
export interface QuoteFailure {
  /**
   * The error's type.
   */
  code: 'DELIVERY_NOT_AVAILABLE' | 'PICKUP_NOT_AVAILABLE' | 'STORE_CLOSED' | 'OUT_OF_RANGE' | 'STORE_NOT_AVAILABLE';
  /**
   * When this fulfillment type is next available, in epoch seconds: once the store opens, a pause ends or a slot is offered. Null if unknown.
   */
  available_at: number | null;
}
/**
 * A promotion that a store lists.
 */
export interface Offer {
  promotion_id: string;
  /**
   * A description for customers: its title, or its terms and conditions in English.
   */
  text: string;
  /**
   * The description in French and Spanish. Absent for a title, which is never translated.
   */
  translations?: {
    fr: string;
    es: string;
  };
  /**
   * The promotion code. Absent if the promotion applies automatically.
   */
  code?: string;
  /**
   * Epoch seconds. When the promotion ends. Null if it has no end.
   */
  ends_at: number | null;
}
/**
 * An order in its current state.
 */
export interface Order {
  order_id: string;
  /**
   * A short number for the store and the customer, such as `A17`. Unique within the store, its local day, and its live or sandbox orders. Absent while the order is unplaced.
   */
  order_number?: string;
  pickup: boolean;
  /**
   * The full tip, including later additions. Zero for pickup. In cents.
   */
  driver_tip_cents: number;
  /**
   * Absent if it wasn't sent, such as for pickup.
   */
  user_latitude?: number;
  /**
   * Absent if it wasn't sent, such as for pickup.
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
   * The customer's time zone. Defaults to the order's `time_zone`.
   */
  user_time_zone: string;
  /**
   * The language of the customer's pages and messages. Absent if it's the account's language.
   */
  user_language?: 'en' | 'fr' | 'es';
  user_dropoff_notes: string;
  user_pickup_notes: string;
  /**
   * The handoff instructions. Absent if the customer chose none.
   */
  drop_off?: {
    /**
     * Where the driver leaves a delivery.
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
   * With the country code. Absent if it wasn't sent.
   */
  user_phone?: number;
  /**
   * Dialed after the call is answered. Absent without an extension.
   */
  user_phone_extension?: string;
  scheduled: OrderSlot;
  /**
   * When the order is expected, in epoch seconds.
   */
  eta_timestamp: number;
  /**
   * When the order was placed, in epoch seconds. While the order is unplaced, when it was created.
   */
  timestamp: number;
  /**
   * The IANA name of the order's time zone: the delivery address's, or the store's for pickup.
   */
  time_zone: string;
  tracking: Tracking;
  /**
   * `unplaced`: only quoted. `awaiting_confirmation`: placed, but not yet confirmed by the store. `in_progress`: confirmed, and in preparation or on its way. `completed`: delivered or picked up. `canceled`: refunded in full.
   */
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  favorited: boolean;
  /**
   * Whether the store has marked the order ready.
   */
  is_ready: boolean;
  /**
   * `true` for deliveries.
   */
  realtime_tracking_available: boolean;
  /**
   * The value from the request.
   */
  quote_preference: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * The delivery provider: the store, a marketplace or a courier. Absent for pickup.
   */
  delivery_party?: 'first' | 'third' | 'courier';
  /**
   * The cancellation reason. Absent if the order isn't canceled or no reason was given.
   */
  cancel_reason?: string;
  /**
   * Whether `total_with_tip` is an estimate, which it is until the items sold by weight have left the store. Absent without such items.
   */
  is_estimate?: boolean;
  /**
   * Whether the order was created with a sandbox key.
   */
  is_sandbox: boolean;
  /**
   * Present only if the store entered the order itself, such as by phone.
   */
  placed_by?: 'store';
  /**
   * The amount to collect from the customer at handoff. Absent after handoff, and for prepaid orders. In cents.
   */
  to_collect_cents?: number;
  /**
   * The amount collected at handoff, which may differ from the amount due. Absent until then. In cents.
   */
  collected_cents?: number;
  /**
   * Who collected the payment, and pays back any refunds. Absent until handoff.
   */
  collected_by?: 'driver' | 'store';
  items: OrderItem[];
  final_quote: OrderQuote;
  /**
   * The `final_quote` at the measured weights, which adds up to the captured amount. Null until all items are weighed. Absent without items sold by weight.
   */
  weighed_quote?: OrderQuote | null;
  /**
   * The authorized amount in cents. Null if there's no authorization: not authorized yet, expired, or not supported by the gateway. Absent without items sold by weight.
   */
  authorized_cents?: number | null;
  /**
   * The captured amount in cents. Null until captured. Absent without items sold by weight.
   */
  captured_cents?: number | null;
  user_email: string;
  /**
   * Your own ID for the user.
   */
  user_id: string;
  /**
   * Share this link only with the customer. Its `key` lets them cancel if the account allows it, and is included only for keys with the scope `order`.
   */
  tracking_link: string;
  /**
   * A page for the customer to review, pay for and place the order. Present while the order is unplaced, for keys with the scope `order`. Valid for up to 24 hours.
   */
  checkout_url?: string;
  /**
   * The total charge: the quote's total plus later tips. For an order with items sold by weight, an estimate until it is captured. In cents.
   */
  total_with_tip: number;
  /**
   * The request's `customer_order_id`, which may be empty. Absent for a publishable key.
   */
  customer_order_id?: string;
  /**
   * Your account's profit: the markup and the added fee, minus the discounts your account pays. For items sold by weight, an estimate like `total_with_tip`. Absent for a publishable key. In cents.
   */
  profit?: number;
  /**
   * The amount refunded to the card. `total_with_tip` minus this amount is the customer's net payment. Excludes the difference refunded after weighing if the order was charged when placed. In cents.
   */
  refunded_amount: number;
  /**
   * The amount that missing items and substitutes have taken off `total_with_tip`. If the card was charged, it's included in `refunded_amount`. In cents.
   */
  adjusted_amount: number;
  /**
   * The request's `metadata`, unchanged. Absent for a publishable key.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * The app that prepared the order for a signed-in customer (`/docs/sign-in`). Absent if there's none, and in events.
   */
  agent?: {
    client_name: string;
    /**
     * Empty for an app on the customer's device.
     */
    client_host: string;
  };
  /**
   * Messages to the customer, oldest first. Absent without `include=messages`.
   */
  messages?: OrderMessage[];
}
/**
 * The driver and the driver's position. A field is present once its value is known. Empty for pickup.
 */
export interface Tracking {
  driver_latitude?: number;
  driver_longitude?: number;
  /**
   * The driver's heading in degrees clockwise from north.
   */
  course?: number;
  /**
   * When the position was reported, in epoch seconds.
   */
  last_update_timestamp?: number;
  /**
   * When the order was delivered, in epoch seconds.
   */
  completion_timestamp?: number;
  /**
   * Such as `car`.
   */
  vehicle_type?: string;
  driver_name?: string;
  /**
   * Digits only, with the country code first.
   */
  driver_phone?: number;
  driver_photo_url?: string;
  driver_rating?: number;
}
/**
 * An item as ordered, and as the store provides it.
 */
export interface OrderItem {
  /**
   * The ordered item's name.
   */
  name: string;
  /**
   * The substitute's product ID if the store substituted the item.
   */
  product_id: string;
  /**
   * The ordered product's image URL, or empty if there is none.
   */
  image: string;
  /**
   * The ordered quantity. A whole number, except for items sold by weight.
   */
  quantity: number;
  /**
   * The same as `quantity`.
   */
  ordered_quantity: number;
  /**
   * The number of units the store provides: fewer than ordered, or 0, if it lacks the item. For items sold by weight, the measured weight, or the ordered weight until weighed.
   */
  fulfilled_quantity: number;
  /**
   * The store's price of one as ordered, with its options. For items sold by weight, the price of `price_per` units without options. In cents.
   */
  unit_price: number;
  /**
   * The price of all units as ordered. These prices add up to the `subtotal`. For items sold by weight, an estimate. In cents.
   */
  total_price: number;
  /**
   * Present only for items sold by weight.
   */
  sold_by?: 'weight';
  /**
   * The unit of the item's quantities. Present only for items sold by weight.
   */
  unit?: 'lb' | 'oz' | 'kg' | 'g';
  /**
   * The number of units that the price is for. Present only for items sold by weight.
   */
  price_per?: number;
  /**
   * The number of pieces ordered. Absent if a weight was ordered.
   */
  pieces?: number;
  /**
   * The maximum weight charged. Present only for items sold by weight.
   */
  max_quantity?: number;
  /**
   * Present only for items sold by weight.
   */
  is_weighed?: boolean;
  /**
   * `label_price`: computed from the label's price. `limit`: weighed more than the maximum, so the excess is free. Absent until weighed.
   */
  weight_from?: 'scale' | 'label' | 'label_price' | 'limit';
  /**
   * The price at the measured weight in cents, for items sold by weight. Null until weighed.
   */
  final_price?: number | null;
  /**
   * The ordered `product_id` if the item was substituted. Otherwise null.
   */
  substituted_for: string | null;
  /**
   * The customer's choice if the store lacks the item. `product_ids` is present only for `specific`.
   */
  substitution: {
    preference: 'store_choice' | 'specific' | 'refund';
    product_ids?: string[];
  };
  /**
   * The item's tax category.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * The ordered options, including the options that `autofill_selected_options` selected. For a substitute, the options that its menu requires.
   */
  selected_options: {
    option_id: string;
    quantity: number;
    name: string;
    /**
     * The price of one, as charged in this order. In cents.
     */
    price: number;
    customization_name: string;
    /**
     * The option that this nested option belongs to. It's charged once for each of its parent's units. Absent for a top-level option.
     */
    parent_option_id?: string;
  }[];
  notes: string;
  /**
   * The discount on all units. Absent if there is none. In cents.
   */
  discount_cents?: number;
  /**
   * The regular price of one. Present only if the product is on sale at `unit_price`. In cents.
   */
  list_unit_price?: number;
  /**
   * The receipt's price of one with its options, if marked prices were sent. In cents.
   */
  marked_unit_price?: number;
  /**
   * The substitute's name. Absent without a substitute.
   */
  substitute_name?: string;
}
/**
 * The breakdown of the order's total, as ordered.
 */
export interface OrderQuote {
  /**
   * The same as `quote_id`.
   */
  id: string;
  quote_id: string;
  /**
   * The store's name.
   */
  store: string;
  /**
   * Differs from the requested store if the order was moved to a substitute store.
   */
  store_id: string;
  /**
   * The address on one line.
   */
  store_address: string;
  quote: FinalQuoteTotals;
  /**
   * The amount that marked prices add to `quote.subtotal`, negative if they are lower. `total_with_tip` is the sum of `quote.subtotal`, this amount, the three fees and the tax in `quote`, `added_fees` with its tax, `misc_fees` and `tip`, minus `discount_cents`. In cents.
   */
  markup_cents: number;
  /**
   * The sum of `discounts`, plus the cost of items sold by weight above the maximum that the customer pays. Absent if zero. In cents.
   */
  discount_cents?: number;
  /**
   * By slot. Absent if there are none.
   */
  discounts?: Discount[];
  /**
   * The request's codes that do not apply. Absent if all of them apply.
   */
  rejected_codes?: RejectedCode[];
  added_fees: AddedFees;
  misc_fees: MiscFee[];
  /**
   * The full tip, including later additions. Zero for pickup. In cents.
   */
  tip: number;
  /**
   * The total charge. For orders with items sold by weight, an estimate until they are weighed. In cents.
   */
  total_with_tip: number;
  /**
   * With goods by weight, as ordered: the most that is charged, which the card holds. Absent without any. In cents.
   */
  at_most_cents?: number;
  /**
   * Present only if no card can be authorized for `at_most_cents`. Placing the order then captures that amount, and any difference after weighing is refunded.
   */
  is_taken_now?: true;
}
/**
 * A text message or email to an order's customer.
 */
export interface OrderMessage {
  message_id: string;
  channel: 'sms' | 'email';
  /**
   * The message's kind, such as `order_placed`.
   */
  kind: string;
  /**
   * Masked: `…0123` or `a…@example.com`.
   */
  to: string;
  /**
   * `pending`: the message is being sent.
   */
  state: 'sent' | 'pending' | 'not_sent';
  /**
   * Present only with `not_sent`. `over_budget`: exceeds one of the account's daily budgets. `out_of_reach`: text messages can't be sent to this number. `opted_out`: the recipient replied STOP. `failed`: the mail server or SMS provider did not accept the message.
   */
  reason?: 'sandbox' | 'over_budget' | 'out_of_reach' | 'opted_out' | 'failed';
  /**
   * When the event that the message reports happened, in epoch seconds.
   */
  timestamp: number;
  /**
   * When the message was sent, in epoch seconds. Absent if it wasn't sent.
   */
  sent_at?: number;
}
/**
 * The order was canceled. Its refund is a separate event.
 */
export interface OrderCanceledEvent {
  type: 'order.canceled';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    /**
     * The order's `cancel_reason`, as written. Absent if the log contains no details.
     */
    reason?: string;
    order: Order;
  };
}
/**
 * The final amount of an order with items sold by weight was captured, and the rest of the authorization was voided.
 */
export interface OrderCapturedEvent {
  type: 'order.captured';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    /**
     * Null if it couldn't be captured.
     */
    captured_cents: number | null;
    /**
     * The authorized amount. In cents.
     */
    authorized_cents: number;
    order: Order;
  };
}
/**
 * The order was delivered, or the customer picked it up.
 */
export interface OrderCompletedEvent {
  type: 'order.completed';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The store confirmed the order.
 */
export interface OrderConfirmedEvent {
  type: 'order.confirmed';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The store needs more time for the order, so its times have changed.
 */
export interface OrderDelayedEvent {
  type: 'order.delayed';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    /**
     * The previous estimated arrival, in epoch seconds.
     */
    from: number;
    /**
     * The new estimated arrival, in epoch seconds. Unchanged if a scheduled order keeps its slot.
     */
    to: number;
    /**
     * Absent if the store gave no reason.
     */
    reason?: string;
    order: Order;
  };
}
/**
 * A driver was assigned to the delivery.
 */
export interface OrderDriverAssignedEvent {
  type: 'order.driver_assigned';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The driver is within 500 meters of the delivery address.
 */
export interface OrderDriverNearbyEvent {
  type: 'order.driver_nearby';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The order was placed. Its store has yet to confirm it.
 */
export interface OrderPlacedEvent {
  type: 'order.placed';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The store changed an item's quantity or substituted it. The difference is refunded.
 */
export interface OrderItemChangedEvent {
  type: 'order.item_changed';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    /**
     * Absent if the log contains no details.
     */
    change?: {
      /**
       * The ordered product.
       */
      product_id: string;
      /**
       * The previous number of units.
       */
      from_quantity: number;
      /**
       * The new number of units.
       */
      to_quantity: number;
      /**
       * The unit. Present only for items sold by weight.
       */
      unit?: 'lb' | 'oz' | 'kg' | 'g';
      /**
       * The substitute. Absent without one.
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
 * All items sold by weight were weighed or reported missing. Sent again after each correction.
 */
export interface OrderWeighedEvent {
  type: 'order.weighed';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    /**
     * The items sold by weight.
     */
    items: {
      /**
       * The item's position in the order's `items`, from 0.
       */
      index: number;
      /**
       * The ordered weight.
       */
      ordered: number;
      /**
       * The measured weight. 0 for a missing item.
       */
      weight: number;
      unit: 'lb' | 'oz' | 'kg' | 'g';
      /**
       * The line's estimated price. In cents.
       */
      estimated_cents: number;
      /**
       * The line's final price. In cents.
       */
      cents: number;
    }[];
    /**
     * The order's estimated total. In cents.
     */
    estimated_total: number;
    /**
     * The order's final total. In cents.
     */
    total: number;
    order: Order;
  };
}
/**
 * The customer's notes, drop-off instructions, apartment, name or phone changed.
 */
export interface OrderUpdatedEvent {
  type: 'order.updated';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    /**
     * The changed fields, by their names in `/order/update`.
     */
    changed: ('user_name' | 'user_phone' | 'user_apt_num' | 'user_dropoff_notes' | 'user_pickup_notes' | 'drop_off')[];
    order: Order;
  };
}
/**
 * The store has the order ready for the customer or the driver.
 */
export interface OrderReadyEvent {
  type: 'order.ready';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The driver picked up the order at the store.
 */
export interface OrderPickedUpEvent {
  type: 'order.picked_up';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * The card's authorization expired and couldn't be renewed. The order is canceled unless the customer adds another card.
 */
export interface OrderHoldDeclinedEvent {
  type: 'order.hold_declined';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
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
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    /**
     * Absent if the log contains no details.
     */
    refund?: {
      /**
       * Cents.
       */
      amount: number;
      /**
       * May be empty. `missing` or `substituted` if the store lacks an item.
       */
      reason: string;
      /**
       * The refunded items. Empty for an amount without items.
       */
      items: {
        /**
         * The item's position in `order.items`.
         */
        index: number;
        /**
         * As ordered.
         */
        product_id: string;
        quantity: number;
        /**
         * The unit. Present only for items sold by weight.
         */
        unit?: 'lb' | 'oz' | 'kg' | 'g';
        /**
         * Cents, including the share of tax. For a missing item, also of fees.
         */
        amount: number;
      }[];
    };
    order: Order;
  };
}
/**
 * The delivery's tip was raised and charged.
 */
export interface OrderTippedEvent {
  type: 'order.tipped';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: {
    /**
     * The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.
     */
    sequence: number;
    order: Order;
  };
}
/**
 * A saved card, without its full number.
 */
export interface PaymentMethod {
  /**
   * Send this ID to pay for an order.
   */
  payment_method_id: string;
  /**
   * The brand, such as `visa`.
   */
  brand: string;
  /**
   * The card's last four digits.
   */
  last4: string;
  /**
   * The month, from 1 to 12.
   */
  expiration_month: number;
  /**
   * The year in four digits.
   */
  expiration_year: number;
}
/**
 * A place in the directory.
 */
export interface Place {
  /**
   * The directory's own ID. Send it to add_store.
   */
  directory_place_id: string;
  /**
   * The store's `_id`. Absent if the place isn't in the service.
   */
  service_store_id?: string;
  /**
   * Present only with `service_store_id`.
   */
  service_place_id?: string;
  /**
   * A page about the place: its own website, the directory's page or a map.
   */
  place_link: string;
  /**
   * The place's name.
   */
  place_name: string;
  /**
   * The address on one line. Empty if unknown.
   */
  place_address: string;
  /**
   * The parts of the address. A part is empty if unknown.
   */
  place_address_components: {
    /**
     * The house number and street.
     */
    street_addr: string;
    /**
     * Town.
     */
    city: string;
    /**
     * The state or province.
     */
    state: string;
    /**
     * The postal code.
     */
    zipcode: string;
    /**
     * `US` or `CA`. Empty elsewhere.
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
   * Digits only, with the country code first. Absent if unknown.
   */
  place_phone?: number;
  /**
   * One `<Weekday>: <hours>` line per weekday, starting with Monday, in the place's time zone. Empty if unknown.
   */
  place_hours: string[];
  /**
   * The business status.
   */
  status: 'OPERATIONAL' | 'CLOSED_TEMPORARILY' | 'CLOSED_PERMANENTLY';
  /**
   * The directory's category, such as `restaurant` or `supermarket`.
   */
  type: string;
}
/**
 * The created order. `final_quote` is present only with `include_final_quote`.
 */
export interface PlacedOrder {
  /**
   * `false` for an order that is only quoted.
   */
  order_placed: boolean;
  /**
   * The order's status when the response was sent.
   */
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  /**
   * Share this link only with the customer. Its `key` lets them cancel if the account allows it, and is included only for keys with the scope `order`.
   */
  tracking_link: string;
  final_quote?: FinalQuote;
  order_id: string;
  /**
   * A short number for the store and the customer, such as `A17`. Unique within the store, its local day, and its live or sandbox orders. Absent while the order is unplaced.
   */
  order_number?: string;
  /**
   * A page for the customer to review, pay for and place the order. Present while the order is unplaced, for keys with the scope `order`. Valid for up to 24 hours.
   */
  checkout_url?: string;
  /**
   * Whether the order was created with a sandbox key.
   */
  is_sandbox: boolean;
}
/**
 * An error (RFC 9457 problem details). `final_quote` is present only with `quote_changed`, and `rejected_codes` only with `promotion_not_applied`.
 */
export interface Problem {
  /**
   * `urn:doorstep:error:` followed by the code.
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
   * An explanation for people.
   */
  detail: string;
  /**
   * A code for programs, such as `invalid_request`.
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
   * All validation errors. Absent if no field is invalid.
   */
  errors?: Fault[];
  /**
   * With `payment_declined`: the reason, such as `insufficient_funds`.
   */
  decline_code?: string;
  /**
   * With the `decline_code` `authentication_required`: the page where the customer approves the payment.
   */
  authentication_url?: string;
  /**
   * With `quote_unavailable`: why the store can't take the order.
   */
  quote_error?:
    'DELIVERY_NOT_AVAILABLE' | 'PICKUP_NOT_AVAILABLE' | 'STORE_CLOSED' | 'OUT_OF_RANGE' | 'STORE_NOT_AVAILABLE';
  /**
   * The affected `product_id`s. Always present with `product_unavailable`.
   */
  invalid_product_ids?: string[];
  /**
   * The maximum chargeable weight, in the item's unit. Present only with `weight_above_limit`.
   */
  max_weight?: number;
  /**
   * The affected `option_id`s. Always present with `invalid_options`, and empty if options are only missing.
   */
  invalid_option_ids?: string[];
  /**
   * The request's codes that do not apply. Absent if all of them apply.
   */
  rejected_codes?: RejectedCode[];
  final_quote?: FinalQuote;
  /**
   * With `quote_changed`: the order with the new quote. With `authentication_required`: the order to finalize.
   */
  order_id?: string;
}
/**
 * A product's details. `unit_price` is present only if its size allows it, `quote` only with `include_quote`, and `quote_error` only if the quote contains an `error`.
 */
export interface Product {
  name: string;
  /**
   * The price of one without options, for the requested fulfillment type. In cents.
   */
  price: number;
  /**
   * The price with the cheapest selection of required options. In cents.
   */
  min_price: number;
  /**
   * The regular price if the product is on sale. Otherwise, the price. In cents.
   */
  original_price: number;
  /**
   * The price to display, such as `$12.34`.
   */
  formatted_price: string;
  /**
   * The number of units left. Null if stock isn't counted.
   */
  qty_available: number | null;
  /**
   * The size of one, in `unit_of_measurement`.
   */
  unit_size: number | null;
  /**
   * The unit, such as `lb`, `oz` or `ct`. May be empty.
   */
  unit_of_measurement: string;
  unit_price?: UnitPrice;
  /**
   * Present only for products sold by weight.
   */
  sold_by?: 'weight';
  weight?: Weight;
  /**
   * For items sold by weight, the price per unit, such as `$8.99/lb`.
   */
  formatted_unit_price?: string;
  /**
   * The approximate price of one piece, for items sold by weight that can be ordered by the piece. In cents.
   */
  estimated_piece_price?: number;
  /**
   * An opaque ID. Send it to order the product or to get its details.
   */
  product_id: string;
  /**
   * The product's tax category.
   */
  tax_class: 'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt';
  /**
   * The facts for the product with its default options. Each option provides its own. Null if unknown.
   */
  food: Food | null;
  /**
   * Always false: images are served unchanged.
   */
  supports_image_scaling: boolean;
  /**
   * The store that sells the product.
   */
  store_id: string;
  /**
   * Null if there is none.
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
   * All images.
   */
  customizations: Customization[];
  is_alcoholic: boolean;
  /**
   * Null if there is none.
   */
  upc_code: string | null;
  /**
   * Whether the product can be ordered now: on sale for the fulfillment type, in stock and within its menu hours.
   */
  is_available: boolean;
  quote?: Quote;
  quote_error?: QuoteFailure;
}
/**
 * A discount, with its payers, conditions and limits.
 */
export interface Promotion {
  promotion_id: string;
  offered_by: 'store' | 'account' | 'operator';
  /**
   * `item_price`: a promotional price. `percent` and `amount`: a discount on items. `spend`: a discount in tiers. `buy_get`: a discount on some units when others are bought. `delivery`: a discount on the delivery fee.
   */
  kind: 'item_price' | 'percent' | 'amount' | 'spend' | 'buy_get' | 'delivery';
  /**
   * Above 0 and up to 100, with up to six decimals. For `percent`, `buy_get` (defaults to 100) and `item_price` without `price_cents`.
   */
  percent?: number;
  /**
   * For `item_price`: the price of a unit without options, up to its menu price. In cents.
   */
  price_cents?: number;
  /**
   * For `percent`: the maximum discount per order. In cents.
   */
  max_discount_cents?: number;
  /**
   * For `amount`, and for `delivery` without `to_cents`. In cents.
   */
  amount_cents?: number;
  /**
   * For `spend`: up to 5 tiers, in ascending order. The highest tier reached applies.
   *
   * @maxItems 5
   */
  tiers?: {
    /**
     * The minimum subtotal of the promotion's items. In cents.
     */
    minimum_subtotal: number;
    /**
     * The discount on these items. In cents.
     */
    amount_cents: number;
  }[];
  /**
   * For `buy_get`: the number of `items` to buy.
   */
  buy?: number;
  /**
   * For `buy_get`: the number of discounted units.
   */
  get?: number;
  /**
   * For `buy_get`: the discounted items, if not `items`. No shared IDs or tax categories. Items in any of the lists, each with up to 1000 IDs.
   */
  get_items?: {
    /**
     * Product IDs from the feed. Absent if none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Category IDs from the feed, including subcategories. Absent if none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent if none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Excluded items. Absent if none.
     */
    except?: {
      /**
       * Product IDs from the feed. Absent if none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Category IDs from the feed, including subcategories. Absent if none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent if none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * For `buy_get`: the maximum number of uses per order.
   */
  times?: number;
  /**
   * For `delivery`: the remaining fee. Must be 0. In cents.
   */
  to_cents?: number;
  /**
   * Who pays which part. The percentages add up to 100.
   *
   * @maxItems 3
   */
  funding: {
    payer: 'store' | 'account' | 'operator';
    /**
     * A percentage of the discount, with up to six decimals.
     */
    percent: number;
  }[];
  /**
   * Up to 100 characters, shown as written. Defaults to a generated title in the customer's language.
   */
  title?: string;
  /**
   * 4 to 32 of A–Z, 0–9 and `-`, in any case. Without it, applies automatically.
   */
  code?: string;
  /**
   * Defaults to all items. Alcohol is always excluded. Items in any of the lists, each with up to 1000 IDs.
   */
  items?: {
    /**
     * Product IDs from the feed. Absent if none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Category IDs from the feed, including subcategories. Absent if none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent if none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Excluded items. Absent if none.
     */
    except?: {
      /**
       * Product IDs from the feed. Absent if none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Category IDs from the feed, including subcategories. Absent if none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent if none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * The minimum subtotal of the promotion's items, at menu prices. In cents.
   */
  minimum_subtotal?: number;
  mode?: 'delivery' | 'pickup';
  /**
   * Up to 1000 `store_id`s. Defaults to all stores. Not available to stores.
   *
   * @maxItems 1000
   */
  stores?: string[];
  /**
   * The stores' country, which sets the currency. Not available to stores.
   */
  country?: 'US' | 'CA';
  /**
   * Not available to stores.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * Only a user's first order with the account. Implies one use per user.
   */
  first_order?: boolean;
  /**
   * Days after a store's first live order. Not available to stores.
   */
  new_store_days?: number;
  /**
   * Epoch seconds. Defaults to now.
   */
  starts_at?: number;
  /**
   * Epoch seconds.
   */
  ends_at?: number;
  hours?: WeekHours;
  /**
   * The maximum number of orders.
   */
  max_uses?: number;
  /**
   * The maximum orders per user, by `user_id`, phone, email or card.
   */
  max_uses_per_user?: number;
  /**
   * The maximum discount over all orders. In cents.
   */
  budget_cents?: number;
  /**
   * Whether stores show it as an offer.
   */
  listed: boolean;
  /**
   * `paused` also while no store has agreed to pay its part. `used_up`: a limit was reached.
   */
  state: 'scheduled' | 'active' | 'paused' | 'used_up' | 'ended';
  /**
   * Why it is paused, and what unpauses it; absent in other states.
   */
  paused_because?: string;
  /**
   * The number of orders that use it. Absent, with the three fields below, if the caller is a store and the promotion isn't its own, because the totals include other stores.
   */
  used?: number;
  /**
   * Their discounts from all payers. For items sold by weight, the maximum until handoff. In cents.
   */
  spent_cents?: number;
  /**
   * The part of that discount paid by the caller, or for an operator, by the operator. In cents.
   */
  cost?: number;
  /**
   * Their subtotals at menu prices. For items sold by weight, the maximum until handoff. In cents.
   */
  sales?: number;
  /**
   * The stores that agreed to pay their part. It applies only there. Absent if stores pay none.
   */
  agreements?: {
    store_id: string;
    /**
     * Who agreed on the store's behalf.
     */
    agreed_by: string;
    /**
     * The date, as `YYYY-MM-DD`.
     */
    agreed_on: string;
  }[];
}
/**
 * One entry per weekday: `hh:mmAM - hh:mmPM`, with several ranges joined by `, `, or `Closed`, or `Open 24 hours`. A range whose end isn't after its start extends into the next day.
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
   * The amount of this refund, in cents.
   */
  amount: number;
  /**
   * The order's total refunded amount in cents, including this refund once it succeeds.
   */
  refunded_amount: number;
  /**
   * `pending`: the payment gateway hasn't confirmed it yet. The refund completes without another request.
   */
  state: 'done' | 'pending';
}
/**
 * A store. All fields are present unless `projections` selects some of them or their values are unknown.
 */
export interface Store {
  /**
   * The `store_id` for inventory requests.
   */
  _id: string;
  /**
   * The store's name.
   */
  name: string;
  /**
   * Digits only, with the country code first. Absent if unknown.
   */
  phone_number?: number;
  /**
   * Dialed after the call is answered. Absent without an extension.
   */
  phone_extension?: string;
  address: StoreAddress;
  /**
   * The kind of store.
   */
  type: 'restaurant' | 'grocery';
  /**
   * May be empty.
   */
  description?: string;
  /**
   * Published hours in the store's time zone. Unknown hours are shown as `Closed`.
   */
  local_hours?: {
    operational: WeekHours;
    delivery: WeekHours;
    pickup: WeekHours;
    dine_in: WeekHours;
  };
  /**
   * For a grocery store, its product category names.
   */
  cuisines?: string[];
  /**
   * Photo URLs. Shows the store's food. May be empty.
   */
  food_photos?: string[];
  /**
   * Photo URLs. Shows the store's logo. May be empty.
   */
  logo_photos?: string[];
  /**
   * Photo URLs. Shows the store. May be empty.
   */
  store_photos?: string[];
  /**
   * The price level from 0 to 5. Null if unknown.
   */
  dollar_signs?: number | null;
  /**
   * Whether the store offers pickup at all.
   */
  pickup_enabled?: boolean;
  /**
   * Whether the store offers delivery at all. The quote says whether it delivers to an address.
   */
  delivery_enabled?: boolean;
  /**
   * Whether the store is open by its published hours. The quote says whether it accepts orders.
   */
  is_open: boolean;
  /**
   * Epoch seconds. When a closed store next opens, as far as is known. Null if it's open, or if no opening time is known.
   */
  opens_at?: number | null;
  /**
   * Epoch seconds. When an open store closes. Null if it's closed or never closes.
   */
  closes_at?: number | null;
  /**
   * Why the store is closed: `hours` (its weekly hours), `exception` (the hours for this date), `paused` (by the store), `unknown_hours`, or `no_ordering` (its online ordering is off). Absent while it's open.
   */
  closed_reason?: 'hours' | 'exception' | 'paused' | 'unknown_hours' | 'no_ordering';
  /**
   * Whether the store's own drivers deliver.
   */
  offers_first_party_delivery?: boolean;
  /**
   * Whether a marketplace or a courier delivers.
   */
  offers_third_party_delivery?: boolean;
  /**
   * The great-circle distance from the searched coordinate, to two decimals.
   */
  miles?: number;
  /**
   * Whether the store accepts an order for as soon as possible, for the requested fulfillment type. Present only with `accepting`, or if `projections` lists it.
   */
  accepts_orders?: boolean;
  /**
   * The rating. Absent if there is none.
   */
  weighted_rating_value?: number;
  /**
   * The number of ratings. Absent if unknown.
   */
  aggregated_rating_count?: number;
  /**
   * Whether any of the store's products has a UPC.
   */
  supports_upc_codes?: boolean;
  /**
   * The promotions that the store currently lists. Absent if there are none.
   */
  offers?: Offer[];
}
/**
 * A test event requested by the account. It belongs to no order.
 */
export interface WebhookTestEvent {
  type: 'webhook.test';
  /**
   * When the event happened, in UTC.
   */
  timestamp: string;
  data: Record<string, never>;
}
export interface AddStoreQuery {
  /**
   * A place's `directory_place_id` from place search.
   */
  directory_place_id: string;
}
/**
 * The store. All three fields are empty if the place is unknown, permanently closed, outside the US and Canada, or neither a restaurant nor a shop (such as a bank, a salon or a park).
 */
export interface AddStoreAnswer {
  /**
   * The store's `_id`. Empty if no store was added.
   */
  service_store_id: string;
  /**
   * The service's own ID for the place. Empty if no store was added.
   */
  service_place_id: string;
  /**
   * `restaurant` or `grocery`. Empty if no store was added.
   */
  service_store_type: string;
}
export interface AddWebhookBody {
  /**
   * An https URL on a public host that receives order events.
   */
  endpoint: string;
}
/**
 * The webhook is attached.
 */
export interface AddWebhookAnswer {
  /**
   * A sentence that names the webhook.
   */
  status: string;
}
export interface AdvanceSandboxOrderBody {
  /**
   * The next step.
   */
  event: 'confirm' | 'ready' | 'assign_driver' | 'pick_up' | 'approach' | 'complete' | 'cancel' | 'delay';
  /**
   * With `approach`: where the driver is, up to 500 m from the delivery address. Near it when omitted.
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
   * The reason shown to the customer and the store. Defaults to `canceled_by_account`.
   */
  reason?: string;
}
export interface ChangeAccountPromotionBody {
  /**
   * Epoch seconds.
   */
  ends_at?: number;
  /**
   * The maximum number of orders.
   */
  max_uses?: number;
  /**
   * The maximum orders per user, by `user_id`, phone, email or card.
   */
  max_uses_per_user?: number;
  /**
   * The maximum discount over all orders. In cents.
   */
  budget_cents?: number;
  [k: string]: unknown;
}
export interface CreateAccountPromotionBody {
  /**
   * `item_price`: a promotional price. `percent` and `amount`: a discount on items. `spend`: a discount in tiers. `buy_get`: a discount on some units when others are bought. `delivery`: a discount on the delivery fee.
   */
  kind: 'item_price' | 'percent' | 'amount' | 'spend' | 'buy_get' | 'delivery';
  /**
   * Above 0 and up to 100, with up to six decimals. For `percent`, `buy_get` (defaults to 100) and `item_price` without `price_cents`.
   */
  percent?: number;
  /**
   * For `item_price`: the price of a unit without options, up to its menu price. In cents.
   */
  price_cents?: number;
  /**
   * For `percent`: the maximum discount per order. In cents.
   */
  max_discount_cents?: number;
  /**
   * For `amount`, and for `delivery` without `to_cents`. In cents.
   */
  amount_cents?: number;
  /**
   * For `spend`: up to 5 tiers, in ascending order. The highest tier reached applies.
   *
   * @maxItems 5
   */
  tiers?: {
    /**
     * The minimum subtotal of the promotion's items. In cents.
     */
    minimum_subtotal: number;
    /**
     * The discount on these items. In cents.
     */
    amount_cents: number;
  }[];
  /**
   * For `buy_get`: the number of `items` to buy.
   */
  buy?: number;
  /**
   * For `buy_get`: the number of discounted units.
   */
  get?: number;
  /**
   * For `buy_get`: the discounted items, if not `items`. No shared IDs or tax categories. Items in any of the lists, each with up to 1000 IDs.
   */
  get_items?: {
    /**
     * Product IDs from the feed. Absent if none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Category IDs from the feed, including subcategories. Absent if none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent if none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Excluded items. Absent if none.
     */
    except?: {
      /**
       * Product IDs from the feed. Absent if none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Category IDs from the feed, including subcategories. Absent if none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent if none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * For `buy_get`: the maximum number of uses per order.
   */
  times?: number;
  /**
   * For `delivery`: the remaining fee. Must be 0. In cents.
   */
  to_cents?: number;
  /**
   * Who pays which part. The percentages add up to 100.
   *
   * @maxItems 3
   */
  funding?: {
    payer: 'store' | 'account' | 'operator';
    /**
     * A percentage of the discount, with up to six decimals.
     */
    percent: number;
  }[];
  /**
   * Up to 100 characters, shown as written. Defaults to a generated title in the customer's language.
   */
  title?: string;
  /**
   * 4 to 32 of A–Z, 0–9 and `-`, in any case. Without it, applies automatically.
   */
  code?: string;
  /**
   * Defaults to all items. Alcohol is always excluded. Items in any of the lists, each with up to 1000 IDs.
   */
  items?: {
    /**
     * Product IDs from the feed. Absent if none.
     *
     * @maxItems 1000
     */
    products?: string[];
    /**
     * Category IDs from the feed, including subcategories. Absent if none.
     *
     * @maxItems 1000
     */
    categories?: string[];
    /**
     * Absent if none.
     *
     * @maxItems 8
     */
    tax_classes?: (
      'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
    )[];
    /**
     * Excluded items. Absent if none.
     */
    except?: {
      /**
       * Product IDs from the feed. Absent if none.
       *
       * @maxItems 1000
       */
      products?: string[];
      /**
       * Category IDs from the feed, including subcategories. Absent if none.
       *
       * @maxItems 1000
       */
      categories?: string[];
      /**
       * Absent if none.
       *
       * @maxItems 8
       */
      tax_classes?: (
        'prepared_food' | 'grocery' | 'candy' | 'soft_drink' | 'alcohol' | 'supplement' | 'general' | 'exempt'
      )[];
    };
  };
  /**
   * The minimum subtotal of the promotion's items, at menu prices. In cents.
   */
  minimum_subtotal?: number;
  mode?: 'delivery' | 'pickup';
  /**
   * Up to 1000 `store_id`s. Defaults to all stores. Not available to stores.
   *
   * @maxItems 1000
   */
  stores?: string[];
  /**
   * The stores' country, which sets the currency. Not available to stores.
   */
  country?: 'US' | 'CA';
  /**
   * Not available to stores.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * Only a user's first order with the account. Implies one use per user.
   */
  first_order?: boolean;
  /**
   * Days after a store's first live order. Not available to stores.
   */
  new_store_days?: number;
  /**
   * Epoch seconds. Defaults to now.
   */
  starts_at?: number;
  /**
   * Epoch seconds.
   */
  ends_at?: number;
  /**
   * Times in the store's time zone, in any notation that a feed's `hours` accept. For a scheduled order, the slot's time is used.
   */
  hours?: {
    [k: string]: unknown;
  };
  /**
   * The maximum number of orders.
   */
  max_uses?: number;
  /**
   * The maximum orders per user, by `user_id`, phone, email or card.
   */
  max_uses_per_user?: number;
  /**
   * The maximum discount over all orders. In cents.
   */
  budget_cents?: number;
  /**
   * Whether stores show it as an offer. Defaults to `true` without a code.
   */
  listed?: boolean;
}
export interface CreateCardSetupBody {
  /**
   * Your own ID for the user who owns the card.
   */
  user_id: string;
  /**
   * The email address of the user.
   */
  user_email: string;
  /**
   * The URL that the user is sent to afterward: https, or http on localhost.
   */
  return_url: string;
}
/**
 * The page was created.
 */
export interface CreateCardSetupAnswer {
  /**
   * The page's URL. Anyone with this link can enter a card.
   */
  url: string;
}
export interface CreateOrderBody {
  /**
   * An unplaced order that this request replaces.
   */
  order_id?: string;
  /**
   * Required with `order_id` for a publishable key: the `key` of its `tracking_link`, or the last part of its `checkout_url`.
   */
  order_key?: string;
  /**
   * `true` places the order. Otherwise, it is quoted and stored.
   */
  place_order?: boolean;
  /**
   * The items, all from one store.
   *
   * @minItems 1
   * @maxItems 100
   */
  items: {
    /**
     * The ID from an inventory or product details.
     */
    product_id: string;
    /**
     * A whole number from 1 to 99. Defaults to 1. For items sold by weight, a decimal of the product's `unit` as a number or a string: a multiple of `step` from `min` to `max`.
     */
    quantity?: number | string;
    /**
     * The number of pieces, instead of `quantity`, for items sold by weight with a `piece_weight`.
     */
    pieces?: number;
    /**
     * All selected options, including nested ones.
     *
     * @maxItems 500
     */
    selected_options?: {
      /**
       * The product's ID.
       */
      option_id: string;
      /**
       * Defaults to 1. 0 is the same as not sending the option.
       */
      quantity?: number;
      /**
       * The receipt's price of one, instead of the store's price. In cents.
       */
      marked_price?: number;
    }[];
    /**
     * Notes for the store.
     */
    notes?: string;
    /**
     * The receipt's price of one without options, instead of the store's price. In cents.
     */
    product_marked_price?: number;
    /**
     * What to do if the store lacks the item. Defaults to `refund`.
     */
    substitution?: {
      /**
       * `store_choice`: a product chosen by the store. `specific`: one of `product_ids`. `refund`: a refund.
       */
      preference: 'store_choice' | 'specific' | 'refund';
      /**
       * Products from the same store. Required with `specific`, and allowed only then.
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
   * The tip for a delivery. A pickup has no tip. In cents.
   */
  driver_tip_cents?: number;
  /**
   * The delivery address's latitude. Required without an address.
   */
  user_latitude?: number;
  /**
   * The delivery address's longitude. Required without an address.
   */
  user_longitude?: number;
  /**
   * The delivery address on one line. It's geocoded if there is no coordinate and no `user_street_name` with `user_city` or `user_zipcode`, which take precedence.
   */
  address?: string;
  /**
   * Required to place a delivery.
   */
  user_street_num?: string;
  /**
   * Required to place a delivery.
   */
  user_street_name?: string;
  /**
   * The apartment, suite or floor.
   */
  user_apt_num?: string;
  /**
   * Required to place a delivery.
   */
  user_city?: string;
  /**
   * Required to place a delivery. A US state or Canadian province, as a code or a name.
   */
  user_state?: string;
  /**
   * The address's country.
   */
  user_country?: string;
  /**
   * Required to place a delivery.
   */
  user_zipcode?: string;
  /**
   * The IANA name of the customer's time zone. Defaults to the store's time zone.
   */
  user_time_zone?: string;
  /**
   * The BCP 47 tag of the language of the customer's pages and messages: English, French or Spanish of any region. Defaults to the account's language, which also replaces other languages.
   */
  user_language?: string;
  /**
   * Instructions for the driver.
   */
  user_dropoff_notes?: string;
  /**
   * Instructions for the staff who hand off a pickup.
   */
  user_pickup_notes?: string;
  /**
   * The handoff instructions. Absent if the customer chose none.
   */
  drop_off?: {
    /**
     * Where the driver leaves a delivery.
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
   * Required to place an order.
   */
  user_name?: string;
  /**
   * Required to place an order. Receives the receipt.
   */
  user_email?: string;
  /**
   * Required to place an order. A number with ten digits is a US or Canadian number. Other numbers are strings that start with `+` and the country code. A string can use any notation and end with an extension.
   */
  user_phone?: number | string;
  /**
   * Required to place an order. The one that the payment method was created with.
   */
  user_id?: string;
  /**
   * Defaults to `true`. `false` places the order without a charge.
   */
  charge_user?: boolean;
  /**
   * `true` adds the `final_quote` to the response.
   */
  include_final_quote?: boolean;
  /**
   * `true` sends the customer no text messages.
   */
  disable_sms?: boolean;
  /**
   * The prices shown on the receipt, and the fees charged on top.
   */
  email_receipt_specifications?: {
    /**
     * `true` charges the marked prices and shows them on the receipt.
     */
    prices_marked?: boolean;
    /**
     * A fee of your own.
     */
    added_fee?: {
      /**
       * In cents.
       */
      added_fee_flat?: number;
      /**
       * The fee as a percentage of the subtotal.
       */
      added_fee_percent?: number;
      /**
       * Defaults to `false`.
       */
      is_added_fee_taxable?: boolean;
    };
    /**
     * `true` shows your fee together with the service fee.
     */
    unify_service_fee?: boolean;
    /**
     * `true` sends the customer no emails about receipts, changes, cancellations or refunds.
     */
    disable_email?: boolean;
    /**
     * Other fees.
     *
     * @maxItems 20
     */
    misc_fees?: {
      /**
       * The fee's name on the receipt.
       */
      fee_name: string;
      /**
       * In cents.
       */
      fee_amount: number;
    }[];
  };
  /**
   * Stored with the order.
   */
  favorited?: boolean;
  /**
   * `true` allows substitutes. If only products are unavailable, the order moves to the nearest store of the same name that has them. The store may substitute each item without its own `substitution`.
   */
  enable_substitution?: boolean;
  /**
   * `true` selects missing required options: the defaults, then the cheapest options.
   */
  autofill_selected_options?: boolean;
  /**
   * Required to place an order unless `charge_user` is false or the total is zero.
   */
  payment_method_id?: string;
  /**
   * Promotion codes as the customer typed or pasted them. Letter case, spaces and the kind of dash are ignored. Promotions without a code apply automatically.
   *
   * @maxItems 10
   */
  promotion_codes?: string[];
  /**
   * The `id` of one of the quote's slots. Defaults to as soon as possible.
   */
  scheduled_id?: string;
  /**
   * The preferred delivery provider if several deliver to the address, as in inventory requests. Defaults to `first_available`. The order keeps it.
   */
  quote_preference?: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * Your own ID for the order.
   */
  customer_order_id?: string;
  /**
   * The page that `checkout_url` sends the customer to afterward, with `order_id` and `status` (`placed`, `canceled`, `changed`). Must use https, or http on localhost with a sandbox key. Defaults to the tracking page.
   */
  checkout_return_url?: string;
  /**
   * Any data of yours. Stored with the order and returned with it.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
/**
 * Send either `payment_method` or `payment_token`.
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
     * The year in four digits. The card is valid until the end of its month.
     */
    expiration_year: number | string;
    /**
     * 3 digits, or 4 for American Express. A number is padded with leading zeros (12 becomes 012); a string is used as is.
     */
    cvc: number | string;
  };
  /**
   * A token from the gateway's client library, such as Stripe's `pm_…` or `tok_…`. In the sandbox: `tok_visa`, or `tok_declined`, which is declined when charged.
   */
  payment_token?: string;
  /**
   * The email address of the user.
   */
  user_email: string;
  /**
   * Your own ID for the user who owns the card.
   */
  user_id: string;
}
/**
 * The payment method can be used.
 */
export interface CreatePaymentMethodAnswer {
  status: 'success';
  /**
   * Send this ID to pay for an order with the same `user_id`.
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
   * Your own ID for the user who owns the card.
   */
  user_id: string;
  /**
   * The card owner's `user_id`.
   */
  payment_method_id: string;
}
/**
 * The card was deleted. Placed orders keep it.
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
   * The client's request ID, repeated in the response. A notification has none.
   */
  id?: string | number;
  /**
   * With `tools/call`: the tool's `name` and its `arguments`, as described by `tools/list`.
   */
  params?: {
    [k: string]: unknown;
  };
}
/**
 * A response of JSON-RPC 2.0. The request's result, or its `error`.
 */
export interface ExchangeMcpMessageAnswer {
  jsonrpc: '2.0';
  [k: string]: unknown;
}
export interface FinalizeOrderBody {
  /**
   * The `order_id` returned by order creation without `place_order`.
   */
  order_id: string;
  /**
   * Required to place an order.
   */
  user_name?: string;
  /**
   * Required to place an order. Receives the receipt.
   */
  user_email?: string;
  /**
   * Required to place an order. A number with ten digits is a US or Canadian number. Other numbers are strings that start with `+` and the country code. A string can use any notation and end with an extension.
   */
  user_phone?: number | string;
  /**
   * Required to place an order. The one that the payment method was created with.
   */
  user_id?: string;
  /**
   * Required to place an order unless `charge_user` is false or the total is zero.
   */
  payment_method_id?: string;
  /**
   * Promotion codes as the customer typed or pasted them. Letter case, spaces and the kind of dash are ignored. Promotions without a code apply automatically.
   *
   * @maxItems 10
   */
  promotion_codes?: string[];
  /**
   * A token from the gateway's client library, instead of a `payment_method_id`. The card is saved for the `user_id`.
   */
  payment_token?: string;
}
export interface ForgetUserBody {
  /**
   * Your own ID for the user who owns the card.
   */
  user_id: string;
}
export interface GeocodeQuery {
  /**
   * An address on one line, a postal code, or a city and its state.
   */
  address?: string;
  /**
   * The latitude of a place in the US or Canada.
   */
  latitude?: number;
  /**
   * The longitude in degrees.
   */
  longitude?: number;
}
/**
 * The matches. If nothing matches, returns 422 `address_not_found`.
 */
export interface GeocodeAnswer {
  /**
   * From 1 to 5 matches, best first.
   */
  results: {
    /**
     * The latitude in degrees.
     */
    latitude: number;
    /**
     * The longitude in degrees.
     */
    longitude: number;
    /**
     * The geocoder's spelling of the match, on one line.
     */
    address: string;
    /**
     * The parts of `address` in the format of an order. A field is empty if unknown.
     */
    components: {
      /**
       * The house number, which rural addresses may lack.
       */
      street_num: string;
      street_name: string;
      apt_num: string;
      city: string;
      /**
       * The state's, province's or territory's code.
       */
      state: string;
      zipcode: string;
    };
    /**
     * `rooftop`: the building. `street`: a point on the street, estimated from house numbers if possible. `postal_code`, `city`: its center.
     */
    precision: 'rooftop' | 'street' | 'postal_code' | 'city';
  }[];
}
export interface ListAccountPromotionsQuery {
  /**
   * The previous page's `next`.
   */
  before?: string;
}
/**
 * Newest first, 50 per page.
 */
export interface ListAccountPromotionsAnswer {
  promotions: Promotion[];
  /**
   * Send it as `before` to get the next page. Null on the last page.
   */
  next: string | null;
}
export interface ListEventsQuery {
  /**
   * The previous response's `next`, unchanged. Earlier events are left out.
   */
  after?: string;
}
/**
 * Up to 20 events, oldest first, ending early at 2 MiB. Empty without `after`.
 */
export interface ListEventsAnswer {
  events: OrderEvent[];
  /**
   * Whether more events are waiting. Request `next` immediately.
   */
  has_more: boolean;
  /**
   * Send it as `after` to get the next events. Opaque, and valid for a day.
   */
  next: string;
  /**
   * `false` if events of older orders are left out, because the account has too many orders.
   */
  is_complete: boolean;
}
export interface ListOrderEventsQuery {
  /**
   * Returns only events after this `sequence`.
   */
  after?: number;
}
/**
 * Up to 20 events, ending early at 2 MiB. Empty for an order that isn't placed.
 */
export interface ListOrderEventsAnswer {
  events: OrderEvent[];
  /**
   * Whether more follow. Send the page's last `sequence` as `after`.
   */
  has_more: boolean;
  /**
   * The order's current state. If `has_more` is false, it's the state right after the last event.
   */
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
}
export interface ListOrdersQuery {
  /**
   * The `order_id` returned by order creation. An unknown ID returns an empty list.
   */
  order_id?: string;
  /**
   * For a publishable key, required with `order_id` and no other filter: the `key` of the order's `tracking_link`, or the last part of its `checkout_url`.
   */
  order_key?: string;
  /**
   * Comma-separated: unplaced, awaiting_confirmation, in_progress, completed, canceled. Defaults to placed orders unless `order_id` is sent. `unplaced` lists unplaced orders.
   */
  status?: string;
  /**
   * The first day to include, by creation date in UTC: MM/DD/YYYY.
   */
  start_date?: string;
  /**
   * The last day to include, by creation date in UTC: MM/DD/YYYY.
   */
  end_date?: string;
  /**
   * Your own ID for the user who ordered.
   */
  user_id?: string;
  /**
   * The `customer_order_id` sent when the order was created.
   */
  customer_order_id?: string;
  /**
   * The value sent when the order was created.
   */
  favorited?: boolean;
  /**
   * `true` adds `order_count`, the number of matching orders on all pages.
   */
  include_order_count?: boolean;
  /**
   * `messages` adds each order's text messages and emails, and why any weren't sent.
   */
  include?: 'messages';
  /**
   * Starts at 0. Send the previous page's `next_page`. A page contains up to 100 orders.
   */
  page?: number;
}
/**
 * Up to 100 orders. A page ends early at 2 MiB. An unknown ID returns an empty list.
 */
export interface ListOrdersAnswer {
  orders: Order[];
  /**
   * The number of matching orders on all pages. Only with `include_order_count`.
   */
  order_count?: number;
  /**
   * Send it as `page` to get the next page. Absent on the last page.
   */
  next_page?: number;
}
export interface ListPaymentMethodsQuery {
  /**
   * Your own ID for the user who owns the card.
   */
  user_id: string;
}
/**
 * Up to 100 cards. An unknown user returns an empty list.
 */
export interface ListPaymentMethodsAnswer {
  payment_methods: PaymentMethod[];
}
export interface ListRequestsQuery {
  /**
   * The previous response's `next`. Returns only newer requests.
   */
  after?: string;
}
/**
 * Up to 200 requests, oldest first.
 */
export interface ListRequestsAnswer {
  requests: {
    /**
     * When the response was sent, in UTC.
     */
    timestamp: string;
    method: string;
    /**
     * The path without its query, up to 200 characters.
     */
    path: string;
    status: number;
    /**
     * The response time in milliseconds.
     */
    ms: number;
    /**
     * The response's `x-request-id`.
     */
    request_id: string;
  }[];
  /**
   * Send it as `after` to get newer requests. Opaque.
   */
  next: string;
  /**
   * `false` if requests since `after` are missing because there were too many, or because another process sent the previous response.
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
 * Empty for an unknown ID.
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
 * Empty if the order isn't yours.
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
   * A store's _id.
   */
  store_id: string;
  /**
   * Inventory, prices and quotes differ between delivery and pickup.
   */
  pickup: boolean;
  /**
   * A category from an earlier response.
   */
  subcategory_id?: string;
  /**
   * Returns all levels of categories, without products. Limited to 2,000 categories.
   */
  category_tree?: boolean;
  /**
   * Whether the response includes a quote.
   */
  include_quote?: boolean;
  /**
   * The preferred delivery provider if several deliver to the address. `first_available` (the default) and `fastest`: the lowest maximum time. `first_party`: the store itself, if it delivers to the address. `cheapest`: the lowest delivery fee at the store's order minimum.
   */
  quote_preference?: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * The delivery address's latitude. A delivery quote needs it or an address.
   */
  user_latitude?: number;
  /**
   * The delivery address's longitude. Requires the latitude.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.
   */
  address?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_street_num?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_street_name?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_city?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_state?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_zipcode?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_country?: string;
}
export interface ReadProductQuery {
  /**
   * A `product_id` from an inventory.
   */
  product_id: string;
  /**
   * Defaults to delivery, or to pickup for a product sold only for pickup.
   */
  pickup?: boolean;
  /**
   * Whether the response includes a quote.
   */
  include_quote?: boolean;
  /**
   * The preferred delivery provider if several deliver to the address. `first_available` (the default) and `fastest`: the lowest maximum time. `first_party`: the store itself, if it delivers to the address. `cheapest`: the lowest delivery fee at the store's order minimum.
   */
  quote_preference?: 'first_available' | 'first_party' | 'cheapest' | 'fastest';
  /**
   * The delivery address's latitude. A delivery quote needs it or an address.
   */
  user_latitude?: number;
  /**
   * The delivery address's longitude. Requires the latitude.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.
   */
  address?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_street_num?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_street_name?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_city?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_state?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_zipcode?: string;
  /**
   * Part of the delivery address, geocoded as in orders without a coordinate.
   */
  user_country?: string;
}
/**
 * The proof. Without a record, it says so.
 */
export interface ReadProofAnswer {
  /**
   * The photo's URL for the same key. Null without a photo.
   */
  photo_url: string | null;
  /**
   * Whether the driver confirmed checking an ID.
   */
  id_checked: boolean;
  /**
   * When the last record was made, in epoch seconds. Null if the driver recorded nothing.
   */
  at: number | null;
}
export interface ReadStoresQuery {
  /**
   * Up to 50 stores' `_id`s, separated by commas.
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
   * An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.
   */
  address?: string;
  /**
   * The fulfillment type that `accepts_orders` refers to. Defaults to either.
   */
  pickup?: boolean;
  /**
   * `true` returns only stores with a menu or an inventory.
   */
  has_menu?: boolean;
}
/**
 * The stores found.
 */
export interface ReadStoresAnswer {
  stores: {
    /**
     * The `store_id` for inventory requests.
     */
    _id: string;
    /**
     * The store's name.
     */
    name: string;
    /**
     * Digits only, with the country code first. Absent if unknown.
     */
    phone_number?: number;
    /**
     * Dialed after the call is answered. Absent without an extension.
     */
    phone_extension?: string;
    address: StoreAddress;
    /**
     * The kind of store.
     */
    type: 'restaurant' | 'grocery';
    /**
     * May be empty.
     */
    description: string;
    /**
     * Published hours in the store's time zone. Unknown hours are shown as `Closed`.
     */
    local_hours: {
      operational: WeekHours;
      delivery: WeekHours;
      pickup: WeekHours;
      dine_in: WeekHours;
    };
    /**
     * For a grocery store, its product category names.
     */
    cuisines: string[];
    /**
     * Photo URLs. Shows the store's food. May be empty.
     */
    food_photos: string[];
    /**
     * Photo URLs. Shows the store's logo. May be empty.
     */
    logo_photos: string[];
    /**
     * Photo URLs. Shows the store. May be empty.
     */
    store_photos: string[];
    /**
     * The price level from 0 to 5. Null if unknown.
     */
    dollar_signs: number | null;
    /**
     * Whether the store offers pickup at all.
     */
    pickup_enabled: boolean;
    /**
     * Whether the store offers delivery at all. The quote says whether it delivers to an address.
     */
    delivery_enabled: boolean;
    /**
     * Whether the store is open by its published hours. The quote says whether it accepts orders.
     */
    is_open: boolean;
    /**
     * Epoch seconds. When a closed store next opens, as far as is known. Null if it's open, or if no opening time is known.
     */
    opens_at: number | null;
    /**
     * Epoch seconds. When an open store closes. Null if it's closed or never closes.
     */
    closes_at: number | null;
    /**
     * Why the store is closed: `hours` (its weekly hours), `exception` (the hours for this date), `paused` (by the store), `unknown_hours`, or `no_ordering` (its online ordering is off). Absent while it's open.
     */
    closed_reason?: 'hours' | 'exception' | 'paused' | 'unknown_hours' | 'no_ordering';
    /**
     * Whether the store's own drivers deliver.
     */
    offers_first_party_delivery: boolean;
    /**
     * Whether a marketplace or a courier delivers.
     */
    offers_third_party_delivery: boolean;
    /**
     * The great-circle distance from the searched coordinate, to two decimals.
     */
    miles?: number;
    /**
     * Whether the store's quote for the requested fulfillment type contains `asap_available`.
     */
    accepts_orders: boolean;
    /**
     * The rating. Absent if there is none.
     */
    weighted_rating_value?: number;
    /**
     * The number of ratings. Absent if unknown.
     */
    aggregated_rating_count?: number;
    /**
     * Whether any of the store's products has a UPC.
     */
    supports_upc_codes: boolean;
    /**
     * The promotions that the store currently lists. Absent if there are none.
     */
    offers?: Offer[];
    /**
     * Whether any provider delivers to the coordinate, even if the store isn't accepting orders now.
     */
    delivers_here?: boolean;
    /**
     * The store's time zone, such as `America/Chicago`.
     */
    time_zone: string;
    /**
     * Dates with different `operational` hours, from today in the store's time zone to 30 days ahead. Absent if there are none.
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
       * In the format of `local_hours`: `Closed`, or the ranges for each date.
       */
      hours: string;
    }[];
    /**
     * The estimate for an order for as soon as possible. Present only with `pickup`, while the store accepts orders. `false` also requires a coordinate.
     */
    time_estimate?: {
      /**
       * Minutes from now.
       */
      minimum: number;
      maximum: number;
    };
    /**
     * The delivery fee to the coordinate for an order at the store's minimum. Present with the `time_estimate` of a delivery.
     */
    delivery_fee?: {
      /**
       * Cents.
       */
      delivery_fee_flat: number;
      /**
       * The minimum subtotal.
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
   * An order in progress or a completed order. A request with only `refund_tip` also accepts an order canceled during delivery.
   */
  order_id: string;
  /**
   * The amount to refund in cents, excluding the tip. Send either `amount` or `items`.
   */
  amount?: number;
  /**
   * The units or weights to refund, at their price with markup and their share of the tax. Send either `items` or `amount`.
   *
   * @minItems 1
   * @maxItems 100
   */
  items?: {
    /**
     * The item's position in the order, from 0.
     */
    index: number;
    /**
     * The number of units. Required, except for items sold by weight.
     */
    quantity?: number;
    /**
     * The weight to refund, for items sold by weight. Defaults to the rest of the item.
     */
    weight?: number | string;
  }[];
  /**
   * Refunds the tip too, with or without `amount` or `items`, once a driver has had the order. The driver keeps the tip and the operator pays for it. Requires `reason`.
   */
  refund_tip?: boolean;
  /**
   * The reason shown to the customer on the receipt.
   */
  reason?: string;
}
export interface RemoveWebhookBody {
  /**
   * The attached URL.
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
   * One delivery.
   */
  webhook_id?: string;
  /**
   * Epoch seconds.
   */
  since?: number;
}
/**
 * The deliveries are due now.
 */
export interface ReplayWebhookAnswer {
  /**
   * The number of deliveries that will be sent again.
   */
  replayed: number;
}
export type ResumeAccountPromotionBody = Record<string, never>;
export interface SaveCustomerBody {
  /**
   * The user's ID.
   */
  email?: string;
  /**
   * With the country code.
   */
  phone?: string;
  /**
   * Omit it to keep it unchanged.
   */
  first_name?: string;
  /**
   * Omit it to keep it unchanged.
   */
  last_name?: string;
}
export interface SearchCartsQuery {
  /**
   * A JSON object from product query to quantity, such as `{"milk":2,"salmon":"1.5 lb"}`. A number is 1 to 99 pieces or packages, or units of an item sold by weight without a piece weight. A string is an amount, rounded up to the next step or package. The query takes 1 to 20 lines, each with up to 512 characters, and up to 8000 in total. Two lines can't request the same product. A line with 8, 12, 13 or 14 digits and a valid check digit is a UPC.
   */
  query: string;
  /**
   * Searches only this store, at any distance.
   */
  store_id?: string;
  /**
   * `true` returns only stores whose quotes accept an order for as soon as possible: for the fulfillment type in `pickup`, for delivery with `delivers_here`, or otherwise for either.
   */
  accepting?: boolean;
  /**
   * The latitude to search near. Required without `address`.
   */
  user_latitude?: number;
  /**
   * The longitude to search near. Required without `address`.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.
   */
  address?: string;
  /**
   * Defaults to both.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * `true` prices carts for pickup. `false` prices carts for delivery and includes only stores that deliver to the coordinate. Defaults to delivery from stores that deliver to the coordinate, and pickup from the others.
   */
  pickup?: boolean;
  /**
   * `true` returns only stores that are open now.
   */
  open?: boolean;
  /**
   * `true` returns only stores with a provider that delivers to the coordinate, even if they aren't accepting orders now.
   */
  delivers_here?: boolean;
  /**
   * The great-circle radius. Unlimited by default.
   */
  maximum_miles?: number;
  /**
   * Comma-separated: vegan, vegetarian, gluten_free, halal, kosher. Returns only products whose `food` states all of these diets.
   */
  diet?: string;
  /**
   * Comma-separated: milk, eggs, fish, crustaceans, tree_nuts, peanuts, wheat, soybeans, sesame, mustard, molluscs, sulphites. Returns only products whose `food` contains both `allergens` and `may_contain`, and lists none of these in either.
   */
  without?: string;
  /**
   * `false` adds carts that lack some of the lines, after all others.
   */
  full_carts_only?: boolean;
}
/**
 * Whole carts from stores near the coordinate.
 */
export interface SearchCartsAnswer {
  /**
   * Up to 20 carts. Full carts that meet the store's order minimum come first, then full carts below it, each cheapest first. Carts that lack lines come last, if requested, starting with the fewest missing lines. Equal carts are sorted by distance.
   */
  carts: Cart[];
}
export interface SearchPlacesQuery {
  /**
   * Words from the name, and from the address if many places share the name. The last word may be incomplete.
   */
  search: string;
  /**
   * The latitude. Nearer matches come first. Requires the longitude.
   */
  location_bias_latitude?: number;
  /**
   * The longitude. Requires the latitude.
   */
  location_bias_longitude?: number;
  /**
   * The radius in meters. Equally good matches within it come first, and no matches are excluded.
   */
  location_bias_radius?: number;
  /**
   * The kind of place to search for.
   */
  search_type?: 'place';
  /**
   * `true` returns only places that are open now by their published hours.
   */
  open_filter?: boolean;
}
/**
 * The places found. The list is empty if nothing matches.
 */
export interface SearchPlacesAnswer {
  /**
   * Up to 20 places, best first.
   */
  places: Place[];
}
export interface SearchProductsQuery {
  /**
   * Words that a product's name, size or category must contain. Products with a word in their name come first, then products of the category, and of restaurants with the cuisine. Case, accents, punctuation and plurals are ignored, as are one typo in a word with 4 to 7 letters and two in a longer word. If nothing contains the last word, it may be incomplete. Only the first 24 words and 512 characters are used. Required without upc_codes, diet and without.
   */
  query?: string;
  /**
   * Up to 50 comma-separated codes with 8 (UPC-E, EAN-8), 12, 13 or 14 digits, including the check digit. Returns products with one of these codes in any notation. With `query`, products must match both.
   */
  upc_codes?: string;
  /**
   * Searches only this store, at any distance.
   */
  store_id?: string;
  /**
   * `true` returns only stores whose quotes accept an order for as soon as possible: for the fulfillment type in `pickup`, for delivery with `delivers_here`, or otherwise for either.
   */
  accepting?: boolean;
  /**
   * The latitude to search near. Required without `address`.
   */
  user_latitude?: number;
  /**
   * The longitude to search near. Required without `address`.
   */
  user_longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.
   */
  address?: string;
  /**
   * Defaults to both.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * `true` returns products sold for pickup, and `false` products sold for delivery. Defaults to either, with delivery prices where possible.
   */
  pickup?: boolean;
  /**
   * `true` returns only stores that are open now.
   */
  open?: boolean;
  /**
   * `true` returns only stores with a provider that delivers to the coordinate, even if they aren't accepting orders now.
   */
  delivers_here?: boolean;
  /**
   * The great-circle radius. Unlimited by default.
   */
  maximum_miles?: number;
  /**
   * Comma-separated: vegan, vegetarian, gluten_free, halal, kosher. Returns only products whose `food` states all of these diets.
   */
  diet?: string;
  /**
   * Comma-separated: milk, eggs, fish, crustaceans, tree_nuts, peanuts, wheat, soybeans, sesame, mustard, molluscs, sulphites. Returns only products whose `food` contains both `allergens` and `may_contain`, and lists none of these in either.
   */
  without?: string;
  /**
   * `relevance` sorts better matches first, then nearer stores, then lower prices. `cheapest` sorts by product price. `unit_price` sorts by the price per gram or milliliter, with products without a size last. `distance`, `rating` and `fastest` sort by store.
   */
  sort?: 'relevance' | 'distance' | 'rating' | 'cheapest' | 'fastest' | 'unit_price';
  /**
   * The previous page's `next_page`. A page after the last product is empty.
   */
  page?: number;
}
/**
 * A page of up to 50 products. A page after the last product is empty.
 */
export interface SearchProductsAnswer {
  products: FoundProduct[];
  /**
   * Words of `query` that were left out, because no nearby product matches them all: `["large", "diced"]` for `large onion, diced`. Otherwise empty.
   */
  relaxed: string[];
  /**
   * Send it as `page` to get the next page. It isn't always the current page plus one.
   */
  next_page: number;
}
export interface SearchStoresQuery {
  /**
   * The latitude to search near. Required without `address`.
   */
  latitude?: number;
  /**
   * The longitude to search near. Required without `address`.
   */
  longitude?: number;
  /**
   * An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.
   */
  address?: string;
  /**
   * Words from a store's name, kind (`coffee`) or location (`houston`). Case, accents and punctuation are ignored, as are one typo in a word with 4 to 7 letters and two in a longer word. If no nearby store matches every word, stores that match some words follow. With a query, a page contains up to 20 stores instead of 100.
   */
  query?: string;
  /**
   * Defaults to both.
   */
  store_type?: 'restaurant' | 'grocery';
  /**
   * Part of the user's address. Accepted, but doesn't narrow the results.
   */
  user_street_num?: string;
  /**
   * Part of the user's address. Accepted, but doesn't narrow the results.
   */
  user_street_name?: string;
  /**
   * Part of the user's address. Accepted, but doesn't narrow the results.
   */
  user_city?: string;
  /**
   * Part of the user's address. Accepted, but doesn't narrow the results.
   */
  user_state?: string;
  /**
   * Part of the user's address. Accepted, but doesn't narrow the results.
   */
  user_zipcode?: string;
  /**
   * Part of the user's address. Accepted, but doesn't narrow the results.
   */
  user_country?: string;
  /**
   * `true` returns stores that offer pickup, and `false` stores that offer delivery.
   */
  pickup?: boolean;
  /**
   * `relevance` sorts better matches of `query` first, then nearer stores. Stores with an unknown rating, price level or time come last. Ties are sorted by distance.
   */
  sort?: 'relevance' | 'distance' | 'rating' | 'cheapest' | 'fastest';
  /**
   * `true` returns only stores that are open now.
   */
  open?: boolean;
  /**
   * `true` returns only stores with a provider that delivers to `latitude` and `longitude`, even if they aren't accepting orders now.
   */
  delivers_here?: boolean;
  /**
   * `true` returns only stores whose quotes accept an order for as soon as possible: for the fulfillment type in `pickup`, for delivery with `delivers_here`, or otherwise for either.
   */
  accepting?: boolean;
  /**
   * `true` returns only stores that list an offer.
   */
  has_offer?: boolean;
  /**
   * `true` returns only stores with a menu or an inventory.
   */
  has_menu?: boolean;
  /**
   * The great-circle radius. Unlimited by default.
   */
  maximum_miles?: number;
  /**
   * `store` searches store names for `query`. `item` returns stores with a product whose name contains all words of `query`. Sorted by relevance, exact words come first.
   */
  search_focus?: 'store' | 'item';
  /**
   * `true` allows the last word of `query` to be incomplete.
   */
  autocomplete?: boolean;
  /**
   * The previous page's `next_page`. A page after the last store is empty.
   */
  page?: number;
  /**
   * One of the store's `cuisines`, ignoring case and accents.
   */
  cuisine?: string;
  /**
   * Returns only stores at exactly this price level.
   */
  dollar_signs?: number;
  /**
   * Excludes unrated stores, too.
   */
  minimum_rating?: number;
  /**
   * The southern edge of a map's viewport. Send all four edges or none.
   */
  min_lat?: number;
  /**
   * The viewport's northern edge.
   */
  max_lat?: number;
  /**
   * The viewport's western edge. If it's above `max_lon`, the viewport crosses the antimeridian.
   */
  min_lon?: number;
  /**
   * The viewport's eastern edge.
   */
  max_lon?: number;
  /**
   * The store fields to return, separated by commas: _id, name, phone_number, phone_extension, address, type, description, local_hours, cuisines, food_photos, logo_photos, store_photos, dollar_signs, pickup_enabled, delivery_enabled, is_open, opens_at, closes_at, closed_reason, offers_first_party_delivery, offers_third_party_delivery, miles, accepts_orders, weighted_rating_value, aggregated_rating_count, supports_upc_codes, offers. Always included: _id, name, address, type, is_open.
   */
  projections?: string;
}
/**
 * A page of stores. A page after the last store is empty.
 */
export interface SearchStoresAnswer {
  stores: Store[];
  /**
   * Send it as `page` to get the next page.
   */
  next_page: number;
}
export type TestWebhookBody = Record<string, never>;
/**
 * The event is sent immediately.
 */
export interface TestWebhookAnswer {
  /**
   * The delivery's ID.
   */
  webhook_id: string;
}
export interface TipOrderBody {
  /**
   * A placed delivery.
   */
  order_id: string;
  /**
   * The full tip, in cents.
   */
  driver_tip_cents: number;
}
export interface UpdateOrderBody {
  /**
   * A placed order.
   */
  order_id: string;
  /**
   * The apartment, suite or floor.
   */
  user_apt_num?: string;
  /**
   * Instructions for the driver.
   */
  user_dropoff_notes?: string;
  /**
   * Instructions for the staff who hand off a pickup.
   */
  user_pickup_notes?: string;
  /**
   * The handoff instructions. Absent if the customer chose none.
   */
  drop_off?: {
    /**
     * Where the driver leaves a delivery.
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
   * Required to place an order.
   */
  user_name?: string;
  /**
   * Required to place an order. A number with ten digits is a US or Canadian number. Other numbers are strings that start with `+` and the country code. A string can use any notation and end with an extension.
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
