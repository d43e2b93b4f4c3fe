/**
 * The types and the operations of the service's API, for the operator's pages. `npm run client-types` writes this file from the
 * service's description; a test fails where the two differ.
 */

/**
 * What customers of an account see.
 */
export interface AccountBrand {
  /**
   * What customers read instead of Doorstep.
   */
  display_name: string | null;
  /**
   * The logo.
   */
  logo_url: string | null;
  /**
   * The sender of its mail.
   */
  from_address: string | null;
  /**
   * Who has a blind copy of every receipt.
   */
  bcc_address: string | null;
  /**
   * The host of its tracking pages.
   */
  tracking_host: string | null;
  has_favicon: boolean;
}
/**
 * A budget of an account, and what the account has used of it today.
 */
export interface AccountBudget {
  /**
   * Such as `sms`; `unplaced_bytes` counts the bytes of unplaced orders.
   */
  budget: string;
  mode: 'live' | 'sandbox';
  /**
   * Since midnight in UTC.
   */
  used: number;
  /**
   * Null where there is no limit.
   */
  limit: number | null;
  /**
   * Whether an operator has set it for this account; else it is the default.
   */
  is_own: boolean;
}
/**
 * Where an account is called, without the secret.
 */
export interface AccountEndpoint {
  mode: 'live' | 'sandbox';
  url: string;
  enabled: boolean;
  /**
   * Since when every call fails. Epoch seconds, or null.
   */
  failing_since: number | null;
}
/**
 * What an account may do and use.
 */
export interface AccountLimits {
  /**
   * Of pages and messages of orders without one of their own.
   */
  language: 'en' | 'fr' | 'es';
  /**
   * `handover`: the tool `place_order` places nothing, and answers the checkout of the order.
   */
  agent_orders: 'place' | 'handover';
  /**
   * Whether the tool `quote_order` takes `charge_user: false`.
   */
  agent_unpaid: boolean;
  /**
   * Whether carts may be charged below their stores' own prices.
   */
  negative_markup: boolean;
  budgets: AccountBudget[];
  declines_per_hour: {
    scope: 'user' | 'card' | 'key';
    /**
     * Null where there is no limit.
     */
    limit: number | null;
    /**
     * Whether an operator has set it for this account; else it is the default.
     */
    is_own: boolean;
  }[];
  /**
   * At most 100.
   */
  held_back: CardBreaker[];
}
/**
 * A user, card or key that is blocked after too many declines. While a key is blocked, cards that the account has charged before still work.
 */
export interface CardBreaker {
  account_id: string;
  mode: 'live' | 'sandbox';
  scope: 'user' | 'card' | 'key';
  /**
   * A `user_id`, the gateway's name of a card, or a `key_id`.
   */
  subject: string;
  /**
   * Within the last hour.
   */
  declines: number;
  /**
   * Epoch seconds: the next attempt is possible from then on.
   */
  held_back_until: number;
}
/**
 * A condition that operators on duty are alerted to.
 */
export interface Alert {
  alert_id: string;
  kind:
    | 'order_unconfirmed'
    | 'store_unreached'
    | 'channel_failing'
    | 'payments_stuck'
    | 'messages_failing'
    | 'budget_used_up'
    | 'search_differs'
    | 'webhook_failing';
  title: string;
  /**
   * Its place in the operator's view, such as `stores/` and an id.
   */
  page: string;
  /**
   * Epoch seconds.
   */
  opened_at: number;
  /**
   * When it was over. Epoch seconds, or null.
   */
  ended_at: number | null;
  /**
   * When an operator took care of it. Epoch seconds, or null.
   */
  acknowledged_at: number | null;
  /**
   * The operator's name.
   */
  acknowledged_by: string | null;
}
/**
 * One way to the doors that it reaches.
 */
export interface DeliveryParty {
  /**
   * The store itself, a marketplace, a courier.
   */
  party: 'first' | 'third' | 'courier';
  /**
   * Whether this party takes orders, while the store accepts deliveries.
   */
  accepting: boolean;
  /**
   * Where it delivers: `within 3 miles`, `in an area` or `in 2 zones`.
   */
  reach: string;
  /**
   * How many zones it delivers in.
   */
  zones: number;
  /**
   * Of its only zone; null where that is an area, and for several zones.
   */
  radius_miles: number | null;
}
/**
 * A channel of a store on which every attempt fails.
 */
export interface FailingChannel {
  store_id: string;
  store_name: string;
  channel: string;
  /**
   * An email address, a phone, a URL or HOST:PORT.
   */
  target: string | null;
  /**
   * Epoch seconds.
   */
  failing_since: number;
  /**
   * Why the last attempt failed.
   */
  last_error: string | null;
}
/**
 * A webhook endpoint that fails or was switched off.
 */
export interface FailingEndpoint {
  account_id: string;
  account_name: string;
  mode: 'live' | 'sandbox';
  /**
   * False once it was switched off.
   */
  enabled: boolean;
  /**
   * Since when every call fails. Epoch seconds, or null.
   */
  failing_since: number | null;
}
/**
 * A kind of background job.
 */
export interface JobHealth {
  job: string;
  waiting: number;
  /**
   * Those of the waiting that have failed before.
   */
  retrying: number;
  running: number;
  /**
   * Given up, and kept for some days.
   */
  failed: number;
  /**
   * Since when the longest waiting job is due. Epoch seconds, or null.
   */
  due_since: number | null;
}
/**
 * A fault or warning of an import, with its line.
 */
export interface KeptImportFault {
  file?: string;
  line: number;
  path: string;
  message: string;
}
/**
 * A listed store that search leaves out, because it cannot be converted.
 */
export interface LeftOutStore {
  store_id: string;
  reason: string;
}
/**
 * An account.
 */
export interface ListedAccount {
  account_id: string;
  name: string;
  /**
   * Epoch seconds.
   */
  created_at: number;
}
/**
 * A key without its secret.
 */
export interface ListedKey {
  key_id: string;
  mode: 'live' | 'sandbox';
  /**
   * The store of a store key.
   */
  store_id: string | null;
  /**
   * Null for a live key of a store.
   */
  account_id: string | null;
  /**
   * How the key begins and ends.
   */
  hint: string;
  /**
   * What a key of an account may do.
   */
  scopes: ('read' | 'order' | 'webhooks')[];
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * When it was revoked. Epoch seconds, or null.
   */
  revoked_at: number | null;
}
/**
 * The decision that two stores are one place.
 */
export interface ListedMerge {
  merge_id: string;
  store_id: string;
  name: string;
  source: string;
  into_store_id: string;
  into_name: string;
  into_source: string;
  /**
   * What both have in common.
   */
  reason: string;
  /**
   * How far apart they are.
   */
  meters: number;
  /**
   * Epoch seconds.
   */
  decided_at: number;
  /**
   * When the merged store left search. Epoch seconds, or null.
   */
  ended_at: number | null;
  /**
   * When an operator undid it. Epoch seconds, or null.
   */
  undone_at: number | null;
  state: 'merged' | 'ended' | 'undone';
}
/**
 * An order in a list of operators, without its customer.
 */
export interface ListedOrder {
  order_id: string;
  /**
   * What people call it at the counter; null while it is not placed.
   */
  order_number: string | null;
  account_id: string;
  account_name: string;
  mode: 'live' | 'sandbox';
  store_id: string;
  store_name: string;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  pickup: boolean;
  /**
   * Cents.
   */
  total_with_tip: number;
  charge_state: 'none' | 'pending' | 'waiting' | 'charged' | 'declined' | 'refund_pending' | 'refunded';
  /**
   * Cents.
   */
  refunded_amount: number;
  /**
   * The account's own id of the order.
   */
  customer_order_id: string | null;
  /**
   * When it was placed. Epoch seconds, or null.
   */
  placed_at: number | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
}
/**
 * A new key, shown this once.
 */
export interface NewKey {
  key_id: string;
  /**
   * The key. No later answer shows it again.
   */
  key: string;
  mode: 'live' | 'sandbox';
}
/**
 * An open console session.
 */
export interface OpenSession {
  session_id: string;
  /**
   * The operator or staff member; null for the owner of a store.
   */
  name: string | null;
  /**
   * What the browser calls itself.
   */
  device: string;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * Epoch seconds.
   */
  seen_at: number;
}
/**
 * A person who runs the service.
 */
export interface Operator {
  operator_id: string;
  name: string;
  /**
   * Where alerts and sign-in links go.
   */
  email: string | null;
  /**
   * Where urgent alerts go, in E.164.
   */
  phone: string | null;
  /**
   * Each role may do what those before it may.
   */
  role: 'viewer' | 'support' | 'admin';
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * Since when the operator cannot sign in. Epoch seconds, or null.
   */
  disabled_at: number | null;
}
/**
 * An account with its keys, its brand, its webhook endpoints and its limits.
 */
export interface OperatorAccount {
  account_id: string;
  name: string;
  /**
   * Epoch seconds.
   */
  created_at: number;
  keys: ListedKey[];
  brand: AccountBrand;
  endpoints: AccountEndpoint[];
  limits: AccountLimits;
}
/**
 * A change that an operator made.
 */
export interface OperatorAction {
  action_no: number;
  /**
   * Epoch seconds.
   */
  at: number;
  /**
   * The operator's session.
   */
  session_id: string;
  /**
   * The operator's name.
   */
  by: string | null;
  action:
    | 'order.confirm'
    | 'order.ready'
    | 'order.pick_up'
    | 'order.complete'
    | 'order.cancel'
    | 'order.refund'
    | 'order.adjust'
    | 'order.tip'
    | 'order.resend'
    | 'order.acknowledge'
    | 'order.export'
    | 'webhook_call.replay'
    | 'account.create'
    | 'account.set_limits'
    | 'key.create'
    | 'key.revoke'
    | 'store_key.create'
    | 'store.create'
    | 'store.set_profile'
    | 'store.set_channels'
    | 'store.set_switches'
    | 'store.set_terms'
    | 'store.invite'
    | 'statements.close'
    | 'session.revoke'
    | 'operator.invite'
    | 'operator.set'
    | 'merge.undo'
    | 'alert.acknowledge'
    | 'duty.switch'
    | 'duty.set_webhook';
  /**
   * The id of the changed thing.
   */
  target: string;
  /**
   * The name of the store, account or operator, or the number of the order; of a key, its owner.
   */
  target_name: string | null;
  /**
   * What was changed, without secrets.
   */
  details: {
    [k: string]: unknown;
  };
}
/**
 * How a store receives its live orders, without secrets.
 */
export interface OperatorChannel {
  channel: 'console' | 'email' | 'sms' | 'webhook' | 'printer' | 'operator';
  /**
   * An email address, a phone, a URL or HOST:PORT.
   */
  target: string | null;
  /**
   * Since when every attempt fails. Epoch seconds, or null.
   */
  failing_since: number | null;
  /**
   * Why the last attempt failed.
   */
  last_error: string | null;
  print_at?: 'offered' | 'confirmed';
  encoding?: string;
}
/**
 * The channels of a store after a change.
 */
export interface OperatorChannels {
  store_id: string;
  channels: OperatorChannel[];
  auto_confirm_minutes: number | null;
  /**
   * Of a webhook that was added by this request. No later answer shows it again.
   */
  signing_secret?: string;
}
/**
 * The charge of an order.
 */
export interface OperatorCharge {
  charge_state: 'none' | 'pending' | 'waiting' | 'charged' | 'declined' | 'refund_pending' | 'refunded';
  /**
   * The gateway's id of the charge.
   */
  charge_id: string | null;
  attempts: number;
  /**
   * When the last attempt began. Epoch seconds, or null.
   */
  started_at: number | null;
  /**
   * Cents.
   */
  charged_amount: number;
  /**
   * Cents.
   */
  refunded_amount: number;
  /**
   * Cents. Promised, and not given back yet.
   */
  refunding_amount: number;
}
/**
 * Whether alerts go to the operator, and how. Email and phone are the operator's own.
 */
export interface OperatorDuty {
  on_duty: boolean;
  /**
   * How alerts reach the operator.
   */
  ways: ('email' | 'sms' | 'webhook')[];
  /**
   * Where alerts are posted to.
   */
  webhook_url: string | null;
}
/**
 * An access code. It works once; no later answer shows it again.
 */
export interface OperatorInvitation {
  operator_id: string;
  code: string;
  /**
   * Epoch seconds.
   */
  expires_at: number;
  /**
   * Where the operator signs in.
   */
  url: string;
}
/**
 * A store in a list of operators.
 */
export interface OperatorListedStore {
  store_id: string;
  name: string;
  city: string;
  state: string;
  /**
   * The feed of the store.
   */
  source: string;
  /**
   * Whether the feed still lists the store.
   */
  listed: boolean;
  /**
   * The store that search shows in its place.
   */
  merged_into: string | null;
  online_ordering: boolean;
  has_catalog: boolean;
  /**
   * Whether live keys can order from it.
   */
  has_channel: boolean;
  /**
   * Whether a channel fails.
   */
  is_failing: boolean;
}
/**
 * A message to the customer, without its text.
 */
export interface OperatorMessage {
  message_id: string;
  channel: 'sms' | 'email';
  kind:
    | 'order_placed'
    | 'order_confirmation'
    | 'store_confirmed'
    | 'order_item_changed'
    | 'ready_for_pickup'
    | 'on_its_way'
    | 'driver_nearby'
    | 'delivered'
    | 'order_problem'
    | 'order_canceled'
    | 'order_refunded';
  /**
   * Whether an operator sent it again.
   */
  is_resent: boolean;
  state: 'pending' | 'sent' | 'kept' | 'dead' | 'over_budget' | 'not_sent';
  /**
   * The recipient, masked; empty for a viewer.
   */
  to: string;
  attempts: number;
  /**
   * Why the last attempt failed.
   */
  last_error: string | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * When it was sent. Epoch seconds, or null.
   */
  sent_at: number | null;
}
/**
 * What a channel of the store was told of an order.
 */
export interface OperatorNotice {
  channel: 'console' | 'email' | 'sms' | 'webhook' | 'printer' | 'operator';
  kind:
    | 'offered'
    | 'confirmed'
    | 'item_changed'
    | 'updated'
    | 'ready'
    | 'driver_assigned'
    | 'picked_up'
    | 'driver_nearby'
    | 'completed'
    | 'canceled'
    | 'refunded'
    | 'tipped'
    | 'kitchen_copy'
    | 'receipt_copy';
  /**
   * Whether an operator sent the offer again.
   */
  is_resent: boolean;
  state: 'waiting' | 'sent' | 'acknowledged' | 'withdrawn';
  attempts: number;
  /**
   * Why the last attempt failed.
   */
  last_error: string | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * When the channel had it. Epoch seconds, or null.
   */
  sent_at: number | null;
  /**
   * When it was answered. Epoch seconds, or null.
   */
  acknowledged_at: number | null;
}
/**
 * An order and everything that followed from it.
 */
export interface OperatorOrder {
  order_id: string;
  order_number: string;
  customer_order_id: string;
  mode: 'live' | 'sandbox';
  account_id: string;
  account_name: string;
  store_id: string;
  store_name: string;
  store_phone: number | null;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  is_ready: boolean;
  pickup: boolean;
  /**
   * Why it was canceled.
   */
  cancel_reason: string | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * When it was placed. Epoch seconds, or null.
   */
  placed_at: number | null;
  /**
   * When its store is offered it. Epoch seconds, or null.
   */
  offered_at: number | null;
  /**
   * When a first channel of the store had it. Epoch seconds, or null.
   */
  received_at: number | null;
  /**
   * When it is canceled unless it is confirmed. Epoch seconds, or null.
   */
  confirm_by: number | null;
  /**
   * When the food is ready. Epoch seconds, or null.
   */
  ready_by: number | null;
  /**
   * When the customer has it. Epoch seconds, or null.
   */
  eta: number | null;
  /**
   * When the slot of a scheduled order begins. Epoch seconds, or null.
   */
  scheduled_for: number | null;
  /**
   * The steps that it can take now.
   */
  steps: ('confirm' | 'ready' | 'assign_driver' | 'pick_up' | 'approach' | 'complete' | 'cancel')[];
  /**
   * Null for a viewer.
   */
  customer: OperatorOrderCustomer | null;
  items: OperatorOrderItem[];
  /**
   * Cents.
   */
  subtotal: number;
  /**
   * Cents. Delivery, service and small-order fees.
   */
  fees: number;
  /**
   * Cents.
   */
  tax: number;
  /**
   * Cents.
   */
  tip: number;
  /**
   * Cents.
   */
  total_with_tip: number;
  tracking_link: string;
  charge: OperatorCharge;
  events: OperatorOrderEvent[];
  notices: OperatorNotice[];
  messages: OperatorMessage[];
  webhook_calls: OperatorWebhookCall[];
  /**
   * Newest first, at most 100; the list of changes has all.
   */
  actions: OperatorAction[];
}
/**
 * What an operator needs to call the customer and to direct the driver.
 */
export interface OperatorOrderCustomer {
  name: string;
  phone: number | null;
  /**
   * Of a delivery.
   */
  address: string | null;
  /**
   * For the driver, or at the counter.
   */
  notes: string;
}
/**
 * An item of an order in a few words.
 */
export interface OperatorOrderItem {
  name: string;
  quantity: number;
  /**
   * Names of the chosen options.
   */
  options: string[];
  /**
   * Empty for a viewer.
   */
  notes: string;
  /**
   * What the store hands over of the item, where it lacks it.
   */
  change: string | null;
  /**
   * Cents.
   */
  total: number;
}
/**
 * A row of an order's log.
 */
export interface OperatorOrderEvent {
  sequence: number;
  type:
    | 'order.placed'
    | 'order.confirmed'
    | 'order.item_changed'
    | 'order.updated'
    | 'order.ready'
    | 'order.driver_assigned'
    | 'order.picked_up'
    | 'order.driver_nearby'
    | 'order.completed'
    | 'order.canceled'
    | 'order.refunded'
    | 'order.tipped';
  /**
   * Epoch seconds.
   */
  at: number;
  data: {
    [k: string]: unknown;
  };
}
/**
 * A call to the account's endpoint.
 */
export interface OperatorWebhookCall {
  webhook_id: string;
  type: string;
  state: 'pending' | 'delivered' | 'dead';
  attempts: number;
  last_status: number | null;
  /**
   * Why the last attempt had no answer.
   */
  last_error: string | null;
  /**
   * When it is tried again. Epoch seconds, or null.
   */
  next_attempt_at: number | null;
}
/**
 * The order's money after a change, or as a preview says it would be.
 */
export interface OperatorOrderChange {
  order_id: string;
  /**
   * Whether the order is so now. False for a preview.
   */
  is_done: boolean;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  /**
   * Cents. What the customer gets back.
   */
  refund_amount: number;
  /**
   * Cents. What the card is charged.
   */
  charge_amount: number;
  /**
   * Cents. What the customer has paid, less what goes back.
   */
  paid_amount: number;
  /**
   * Cents.
   */
  total_with_tip: number;
  /**
   * Cents.
   */
  tip: number;
  preview?: OperatorPreview;
}
/**
 * What would follow from a change.
 */
export interface OperatorPreview {
  /**
   * Confirms this preview.
   */
  preview_id: string;
  /**
   * Units that are refunded.
   */
  items: {
    index: number;
    quantity: number;
    /**
     * Cents. Their price with mark-up.
     */
    amount: number;
    /**
     * Cents. Their share of the tax.
     */
    tax: number;
  }[];
  /**
   * The charges that a refund is taken from, oldest first.
   */
  card: {
    charge_id: string;
    /**
     * Cents. Back to the card.
     */
    amount: number;
  }[];
  /**
   * Messages, notices and calls that follow. A sandbox order's messages are not sent.
   */
  told: {
    who: 'customer' | 'store' | 'account';
    /**
     * `email`, `sms`, `webhook` or another channel of the store.
     */
    by: string;
    /**
     * The kind of message or notice, or the type of the webhook call.
     */
    what: string;
    /**
     * The recipient, masked.
     */
    to: string;
  }[];
}
/**
 * A staff member who signs in to the console of a store with a code of their own.
 */
export interface OperatorStaff {
  staff_id: string;
  name: string;
  created_at: number;
  /**
   * The last use. Epoch seconds, or null.
   */
  seen_at: number | null;
}
/**
 * A store with its channels, switches, sessions and keys.
 */
export interface OperatorStore {
  store_id: string;
  name: string;
  city: string;
  state: string;
  /**
   * The feed of the store.
   */
  source: string;
  /**
   * Whether the feed still lists the store.
   */
  listed: boolean;
  /**
   * The store that search shows in its place.
   */
  merged_into: string | null;
  online_ordering: boolean;
  has_catalog: boolean;
  /**
   * Whether live keys can order from it.
   */
  has_channel: boolean;
  /**
   * Whether a channel fails.
   */
  is_failing: boolean;
  address: string;
  phone: number | null;
  time_zone: string;
  accept_delivery: boolean;
  accept_pickup: boolean;
  delivery_enabled: boolean;
  pickup_enabled: boolean;
  /**
   * The parties that deliver, and where; empty where the store offers no delivery.
   */
  delivery_parties: DeliveryParty[];
  channels: OperatorChannel[];
  auto_confirm_minutes: number | null;
  staff: OperatorStaff[];
  sessions: OpenSession[];
  keys: ListedKey[];
}
/**
 * A day of orders.
 */
export interface OrderDay {
  /**
   * `YYYY-MM-DD`.
   */
  day: string;
  /**
   * Placed orders.
   */
  orders: number;
  /**
   * Those of them that were canceled.
   */
  canceled: number;
  /**
   * Cents. Their totals with tips, less what was refunded.
   */
  sales: number;
  /**
   * Cents. What was refunded of them.
   */
  refunded: number;
  /**
   * From the offer to the confirmation on average; null if none was confirmed.
   */
  confirm_seconds: number | null;
}
/**
 * An outside party that live orders depend on.
 */
export interface OutsideParty {
  party: string;
  /**
   * Whether the settings name it.
   */
  is_configured: boolean;
  /**
   * Why something that waits for it failed.
   */
  last_error: string | null;
}
/**
 * Whose the cents are: together, charges less refunds.
 */
export interface OwnerShares {
  /**
   * Sales, and the fees and tips that are its own, less commission.
   */
  store: number;
  /**
   * Tips.
   */
  driver: number;
  /**
   * Taxes, also those that the store remits.
   */
  tax: number;
  /**
   * Commission, and the fees that are its own.
   */
  operator: number;
  /**
   * Markup and the fees that the account adds.
   */
  account: number;
}
/**
 * A statement with the shares of the five owners, in cents.
 */
export interface OwnersStatement {
  month: string;
  store_id: string;
  currency: 'USD' | 'CAD';
  /**
   * A closed month never changes.
   */
  is_closed: boolean;
  lines: {
    order_id: string;
    order_number: string;
    /**
     * The local day of the store.
     */
    date: string;
    /**
     * Epoch seconds.
     */
    timestamp: number;
    /**
     * `correction`: of a month that was closed before the service could book it.
     */
    kind: 'sale' | 'refund' | 'adjustment' | 'tip' | 'correction';
    /**
     * The items at the prices of the store.
     */
    sales: number;
    /**
     * All taxes of the order.
     */
    taxes: number;
    /**
     * The same by name, without taxes of 0. A store whose feed names none has `Sales tax`.
     */
    tax_lines: {
      name: string;
      amount: number;
    }[];
    /**
     * Delivery fees.
     */
    delivery_fees: number;
    /**
     * Service and small-order fees, which are the operator's.
     */
    service_fees: number;
    /**
     * Tips.
     */
    tip: number;
    /**
     * From the store to the operator: of the sales, and the fee per order.
     */
    commission: number;
    /**
     * What the store is paid; negative where it owes.
     */
    payout: number;
    /**
     * The total of orders that were not charged here. Their other amounts are 0, and their payout is minus the commission.
     */
    collected_elsewhere: number;
    shares: OwnerShares;
  }[];
  days: {
    /**
     * A local day of the store.
     */
    date: string;
    /**
     * How many orders were placed.
     */
    orders: number;
    /**
     * The items at the prices of the store.
     */
    sales: number;
    /**
     * All taxes of the order.
     */
    taxes: number;
    /**
     * The same by name, without taxes of 0. A store whose feed names none has `Sales tax`.
     */
    tax_lines: {
      name: string;
      amount: number;
    }[];
    /**
     * Delivery fees.
     */
    delivery_fees: number;
    /**
     * Service and small-order fees, which are the operator's.
     */
    service_fees: number;
    /**
     * Tips.
     */
    tip: number;
    /**
     * From the store to the operator: of the sales, and the fee per order.
     */
    commission: number;
    /**
     * What the store is paid; negative where it owes.
     */
    payout: number;
    /**
     * The total of orders that were not charged here. Their other amounts are 0, and their payout is minus the commission.
     */
    collected_elsewhere: number;
    shares: OwnerShares;
  }[];
  totals: {
    /**
     * How many orders were placed.
     */
    orders: number;
    /**
     * The items at the prices of the store.
     */
    sales: number;
    /**
     * All taxes of the order.
     */
    taxes: number;
    /**
     * The same by name, without taxes of 0. A store whose feed names none has `Sales tax`.
     */
    tax_lines: {
      name: string;
      amount: number;
    }[];
    /**
     * Delivery fees.
     */
    delivery_fees: number;
    /**
     * Service and small-order fees, which are the operator's.
     */
    service_fees: number;
    /**
     * Tips.
     */
    tip: number;
    /**
     * From the store to the operator: of the sales, and the fee per order.
     */
    commission: number;
    /**
     * What the store is paid; negative where it owes.
     */
    payout: number;
    /**
     * The total of orders that were not charged here. Their other amounts are 0, and their payout is minus the commission.
     */
    collected_elsewhere: number;
    shares: OwnerShares;
  };
  /**
   * The `after` of the next page; null on the last.
   */
  next: string | null;
}
/**
 * A queue of the service.
 */
export interface QueueHealth {
  queue: string;
  /**
   * Rows that wait, counted up to 10000.
   */
  waiting: number;
  /**
   * Those of them whose last attempt failed.
   */
  failing: number;
  /**
   * Since when the longest waiting row is due. Epoch seconds, or null.
   */
  due_since: number | null;
  /**
   * Why the longest waiting of them failed.
   */
  last_error: string | null;
}
/**
 * The search index of a process differed from the database, and was loaded again.
 */
export interface SearchDifference {
  /**
   * Epoch seconds.
   */
  differed_at: number;
  /**
   * Stores that search lacked; 0 if it had others that are not listed.
   */
  missing: number;
  /**
   * The id of the first of them.
   */
  first_missing: string | null;
}
/**
 * How the service is.
 */
export interface ServiceHealth {
  /**
   * The service's clock, in epoch seconds.
   */
  now: number;
  /**
   * Why this node sends, calls, charges and refunds nothing; null: it does.
   */
  quiet: string | null;
  /**
   * Settings of this node that are valid and probably wrong, a sentence each.
   */
  setting_warnings: string[];
  queues: QueueHealth[];
  jobs: JobHealth[];
  /**
   * Longest failing first, at most 100.
   */
  failing_channels: FailingChannel[];
  /**
   * At most 100.
   */
  unreached_stores: UnreachedStore[];
  /**
   * At most 100; stores that confirm automatically are left out.
   */
  silent_stores: SilentStore[];
  /**
   * By id, at most 100.
   */
  left_out_stores: LeftOutStore[];
  /**
   * Of the last day, latest first, the last of each process.
   */
  search_differences: SearchDifference[];
  /**
   * Addresses that sent X-Forwarded-For to this process and are not in TRUST_PROXY, at most 10: their visitors count as one client.
   */
  undeclared_proxies: string[];
  /**
   * At most 100.
   */
  failing_endpoints: FailingEndpoint[];
  /**
   * At most 100.
   */
  used_up_budgets: UsedUpBudget[];
  /**
   * Newest first, at most 100.
   */
  card_breakers: CardBreaker[];
  parties: OutsideParty[];
  /**
   * Operators on duty whom alerts can reach. 0: alerts go to administrators.
   */
  on_duty: number;
  /**
   * Operators whom alerts reach: on duty, or administrators.
   */
  alerted: number;
  database: {
    migrations: number;
    last_migration: string;
    /**
     * Epoch seconds, on the database's clock.
     */
    migrated_at: number;
    bytes: number;
    connections: number;
    max_connections: number;
  } | null;
  /**
   * The disk of the embedded database; null for another database.
   */
  disk: {
    free_bytes: number;
    total_bytes: number;
  } | null;
}
/**
 * A live store that no channel reaches.
 */
export interface UnreachedStore {
  store_id: string;
  store_name: string;
  /**
   * Its channels: each is failing, or is a console without an open session.
   */
  channels: string[];
}
/**
 * A store that was offered live orders and has never acknowledged one.
 */
export interface SilentStore {
  store_id: string;
  store_name: string;
  /**
   * When its first order was offered, in epoch seconds.
   */
  offered_since: number;
}
/**
 * A budget of today that an account has used up.
 */
export interface UsedUpBudget {
  account_id: string;
  account_name: string;
  mode: 'live' | 'sandbox';
  budget: string;
  used: number;
  limit: number;
}
/**
 * What an operator agreed with a store, and for orders placed since when.
 */
export interface StoreTerms {
  /**
   * Epoch seconds; null for terms never agreed.
   */
  since: number | null;
  /**
   * Percent of the items' subtotal, with at most six decimals.
   */
  commission: number;
  /**
   * Fee per order.
   */
  per_order_cents: number;
  /**
   * Who gets it; `default`: the operator where an outside courier drives, else the store.
   */
  delivery_fee: 'store' | 'operator' | 'default';
  /**
   * Who gets it.
   */
  tip: 'driver' | 'store';
  /**
   * Who remits the taxes.
   */
  tax: 'operator' | 'store';
}
/**
 * The outcome of an order on one channel of its store.
 */
export interface WaitingOffer {
  channel: 'console' | 'email' | 'sms' | 'webhook' | 'printer' | 'operator';
  state: 'waiting' | 'sent' | 'acknowledged' | 'withdrawn';
  attempts: number;
  /**
   * When the channel had the order. Epoch seconds, or null.
   */
  sent_at: number | null;
  /**
   * Why the last attempt failed.
   */
  last_error: string | null;
  /**
   * Since when every attempt on this channel of the store fails. Epoch seconds, or null.
   */
  failing_since: number | null;
}
/**
 * A live order that its store has not confirmed.
 */
export interface WaitingOrder {
  order_id: string;
  order_number: string;
  account_id: string;
  account_name: string;
  store_id: string;
  store_name: string;
  /**
   * Digits with the country code first.
   */
  store_phone: number | null;
  store_time_zone: string;
  pickup: boolean;
  item_count: number;
  /**
   * Cents.
   */
  total_with_tip: number;
  /**
   * Epoch seconds.
   */
  offered_at: number;
  /**
   * When a first channel had the order. Epoch seconds, or null.
   */
  received_at: number | null;
  /**
   * When it is canceled unless it is confirmed. Epoch seconds, or null.
   */
  confirm_by: number | null;
  /**
   * When the slot of a scheduled order begins. Epoch seconds, or null.
   */
  scheduled_for: number | null;
  /**
   * When it rings; null once a channel has acknowledged it. Epoch seconds, or null.
   */
  rings_at: number | null;
  /**
   * When operators on duty are alerted: it rings, and five minutes are left. Epoch seconds, or null.
   */
  alerts_at: number | null;
  offers: WaitingOffer[];
}
export type AcknowledgeAlertBody = Record<string, never>;
/**
 * You are on it.
 */
export interface AcknowledgeAlertAnswer {
  alert_id: string;
  acknowledged: true;
}
export type AcknowledgeAnyOrderBody = Record<string, never>;
/**
 * The order as it is now.
 */
export interface AcknowledgeAnyOrderAnswer {
  order_id: string;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
}
export interface AddManualStoreBody {
  /**
   * What customers call it.
   */
  name: string;
  type: 'restaurant' | 'grocery';
  address: {
    /**
     * Number and street.
     */
    street_addr: string;
    /**
     * Unit or floor.
     */
    street_addr_2?: string;
    /**
     * City.
     */
    city: string;
    /**
     * State or province, such as `NY`.
     */
    state: string;
    /**
     * ZIP or postal code.
     */
    zipcode: string;
    country: 'US' | 'CA';
  };
  /**
   * Degrees north.
   */
  latitude: number;
  /**
   * Degrees east.
   */
  longitude: number;
  /**
   * As customers dial it.
   */
  phone?: string;
  /**
   * For the store page.
   */
  description?: string;
  language?: 'en' | 'fr' | 'es';
  /**
   * As `hours` of a feed, such as `{ "operational": "Mo-Su 11:00-21:00" }`.
   */
  hours?: {
    [k: string]: unknown;
  };
  /**
   * @maxItems 50
   *
   * Items: Such as `pizza`.
   */
  cuisines?: string[];
  /**
   * As in a feed: `{ enabled, accepting, prep_minutes }`.
   */
  pickup?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: `{ enabled, accepting, party, radius_miles, prep_minutes }` and so on.
   */
  delivery?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: `delivery_fee`, `service_fee`, `order_minimum`, `sales_tax_percent` and so on.
   */
  fees?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed; without it the store takes no orders for later.
   */
  scheduling?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: URLs of `food`, `logo` and `store`.
   */
  photos?: {
    [k: string]: unknown;
  };
  terms?: {
    /**
     * Percent of the items' subtotal, with at most six decimals.
     */
    commission?: number;
    /**
     * Fee per order.
     */
    per_order_cents?: number;
    /**
     * Who gets it; `default`: the operator where an outside courier drives, else the store.
     */
    delivery_fee?: 'store' | 'operator' | 'default';
    /**
     * Who gets it.
     */
    tip?: 'driver' | 'store';
    /**
     * Who remits the taxes.
     */
    tax?: 'operator' | 'store';
  };
}
/**
 * Search finds the store within two seconds. It takes orders once it has a menu.
 */
export interface AddManualStoreAnswer {
  store_id: string;
  /**
   * The store that search shows in its place, where both are one business.
   */
  merged_into: string | null;
}
export interface AdjustAnyOrderBody {
  /**
   * The item of the order, from 0.
   */
  index: number;
  /**
   * The units that will be handed over, at most those that were ordered; 0 is none.
   */
  quantity: number;
  /**
   * The product that is handed over instead: its `product_id`, or the id that the feed gives it. Omitted, `quantity` counts the ordered product.
   */
  substitute_product_id?: string;
  /**
   * Why. It is in the history, and the customer and the account may read it. Required to act.
   */
  reason?: string;
  /**
   * Says what would happen, and does nothing.
   */
  preview?: boolean;
  /**
   * Of the preview that is confirmed. Required to act; the same id acts once.
   */
  preview_id?: string;
}
export interface CancelAnyOrderBody {
  /**
   * Why. It is in the history, and the customer and the account may read it. Required to act.
   */
  reason?: string;
  /**
   * Says what would happen, and does nothing.
   */
  preview?: boolean;
  /**
   * Of the preview that is confirmed. Required to act; the same id acts once.
   */
  preview_id?: string;
}
export interface CloseStatementsBody {
  /**
   * A month by the clock of the store, such as 2026-11.
   */
  month: string;
}
/**
 * The month is closed.
 */
export interface CloseStatementsAnswer {
  month: string;
  is_closed: boolean;
}
export type CompleteAnyOrderBody = Record<string, never>;
/**
 * The order as it is now.
 */
export interface CompleteAnyOrderAnswer {
  order_id: string;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
}
export interface ConfirmAnyOrderBody {
  /**
   * Until the food is ready.
   */
  preparation_minutes: number;
}
/**
 * The order as it is now.
 */
export interface ConfirmAnyOrderAnswer {
  order_id: string;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
}
export interface CreateAccountBody {
  /**
   * Its name, on one line.
   */
  name: string;
}
export interface CreateKeyBody {
  /**
   * A live key makes real orders.
   */
  mode: 'live' | 'sandbox';
  /**
   * What the key may do; all by default.
   *
   * @minItems 1
   * @maxItems 3
   */
  scopes?: ('read' | 'order' | 'webhooks')[];
}
export type CreateOperatorCodeBody = Record<string, never>;
export interface CreateStoreKeyBody {
  /**
   * The account whose sandbox orders the key sees; else live orders.
   */
  sandbox_account_id?: string;
}
export interface GeocodeForOperatorQuery {
  /**
   * An address on one line.
   */
  address: string;
}
/**
 * The matches, best first.
 */
export interface GeocodeForOperatorAnswer {
  results: {
    latitude: number;
    longitude: number;
    /**
     * The geocoder's spelling.
     */
    address: string;
    precision: 'rooftop' | 'street' | 'postal_code' | 'city';
  }[];
}
export interface InviteOperatorBody {
  /**
   * The name that the history of changes shows.
   */
  name: string;
  /**
   * Each role may do what those before it may.
   */
  role: 'viewer' | 'support' | 'admin';
  /**
   * An email address; empty for none.
   */
  email?: string;
  /**
   * A phone number; empty for none.
   */
  phone?: string;
}
export type InviteStoreBody = Record<string, never>;
/**
 * The code works once. No later answer shows it again.
 */
export interface InviteStoreAnswer {
  code: string;
  /**
   * Epoch seconds.
   */
  expires_at: number;
  url: string;
}
/**
 * As they are now.
 */
export interface ListAlertsAnswer {
  /**
   * The service's clock, in epoch seconds.
   */
  now: number;
  /**
   * Newest first.
   */
  open: Alert[];
  /**
   * The last 100, newest first.
   */
  past: Alert[];
  on_duty: {
    operator_id: string;
    name: string;
    /**
     * How alerts reach the operator.
     */
    ways: ('email' | 'sms' | 'webhook')[];
  }[];
  you: OperatorDuty;
}
export interface ListAnyAccountsQuery {
  /**
   * Name or ID starts with.
   */
  query?: string;
  /**
   * The `next` of the page before: the page after it.
   */
  before?: string;
}
/**
 * 50 a page.
 */
export interface ListAnyAccountsAnswer {
  accounts: ListedAccount[];
  /**
   * The `before` of the next page; null on the last.
   */
  next: string | null;
}
export interface ListAnyOrdersQuery {
  /**
   * What to find.
   */
  query?: string;
  /**
   * Orders of this key mode; live by default. A search by number, phone or id finds both.
   */
  mode?: 'live' | 'sandbox';
  /**
   * Orders in this status.
   */
  status?: 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
  /**
   * Orders of this account.
   */
  account_id?: string;
  /**
   * Orders of this store.
   */
  store_id?: string;
  /**
   * Placed on this day, `YYYY-MM-DD`, by the clock of each order's store.
   */
  day?: string;
  /**
   * From `day` to this day, at most 366 days.
   */
  last_day?: string;
  /**
   * The `next` of the page before: the page after it.
   */
  before?: string;
}
/**
 * Newest first.
 */
export interface ListAnyOrdersAnswer {
  orders: ListedOrder[];
  /**
   * The `before` of the next page; null on the last.
   */
  next: string | null;
  /**
   * Of an empty answer: how many orders of the other key mode the filters find, at most 1,000.
   */
  other_mode_orders: number | null;
}
export interface ListAnyStoresQuery {
  /**
   * A `store_id`, or words of the name; each may be a beginning.
   */
  query?: string;
  /**
   * The stores of this feed; without `query`.
   */
  source?: string;
  /**
   * The last `store_id` of the page before.
   */
  after?: string;
}
/**
 * 50 a page.
 */
export interface ListAnyStoresAnswer {
  stores: OperatorListedStore[];
  /**
   * The `after` of the next page; null on the last.
   */
  next: string | null;
}
export interface ListImportsQuery {
  /**
   * The `next` of the page before.
   */
  before?: number;
}
/**
 * 50 a page; the newest 1,000 imports are kept.
 */
export interface ListImportsAnswer {
  imports: {
    run_no: number;
    /**
     * The names of the feeds.
     */
    source: string;
    format: string;
    /**
     * Epoch seconds.
     */
    started_at: number;
    /**
     * Null while it runs, and for an import whose process died. Epoch seconds, or null.
     */
    finished_at: number | null;
    /**
     * The numbers of the report: read, created and so on.
     */
    counts: {
      [k: string]: unknown;
    };
    error_count: number;
    warning_count: number;
  }[];
  /**
   * The `before` of the next page.
   */
  next: number | null;
}
export interface ListMergesQuery {
  /**
   * The `next` of the page before: the page after it.
   */
  before?: string;
}
/**
 * 50 a page.
 */
export interface ListMergesAnswer {
  merges: ListedMerge[];
  /**
   * The `before` of the next page; null on the last.
   */
  next: string | null;
}
export interface ListOperatorActionsQuery {
  /**
   * The `next` of the page before.
   */
  before?: number;
  /**
   * Changes of the thing with this id.
   */
  target?: string;
}
/**
 * 100 a page.
 */
export interface ListOperatorActionsAnswer {
  actions: OperatorAction[];
  /**
   * The `before` of the next page.
   */
  next: number | null;
}
/**
 * Newest first.
 */
export interface ListOperatorSessionsAnswer {
  sessions: {
    session_id: string;
    /**
     * The operator or staff member; null for the owner of a store.
     */
    name: string | null;
    /**
     * What the browser calls itself.
     */
    device: string;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * Epoch seconds.
     */
    seen_at: number;
    is_this: boolean;
  }[];
}
/**
 * Every operator.
 */
export interface ListOperatorsAnswer {
  operators: Operator[];
}
export interface ListStatementsQuery {
  /**
   * A month by the clock of the store, such as 2026-11.
   */
  month?: string;
  /**
   * The last `store_id` of the page before.
   */
  after?: string;
}
/**
 * By `store_id`, in cents.
 */
export interface ListStatementsAnswer {
  month: string;
  /**
   * A closed month never changes.
   */
  is_closed: boolean;
  statements: {
    store_id: string;
    name: string;
    currency: 'USD' | 'CAD';
    totals: {
      /**
       * How many orders were placed.
       */
      orders: number;
      /**
       * The items at the prices of the store.
       */
      sales: number;
      /**
       * All taxes of the order.
       */
      taxes: number;
      /**
       * The same by name, without taxes of 0. A store whose feed names none has `Sales tax`.
       */
      tax_lines: {
        name: string;
        amount: number;
      }[];
      /**
       * Delivery fees.
       */
      delivery_fees: number;
      /**
       * Service and small-order fees, which are the operator's.
       */
      service_fees: number;
      /**
       * Tips.
       */
      tip: number;
      /**
       * From the store to the operator: of the sales, and the fee per order.
       */
      commission: number;
      /**
       * What the store is paid; negative where it owes.
       */
      payout: number;
      /**
       * The total of orders that were not charged here. Their other amounts are 0, and their payout is minus the commission.
       */
      collected_elsewhere: number;
      shares: OwnerShares;
    };
  }[];
  /**
   * The `after` of the next page; null on the last.
   */
  next: string | null;
}
/**
 * Longest waiting first, at most 200.
 */
export interface ListWaitingOrdersAnswer {
  /**
   * The service's clock, in epoch seconds.
   */
  now: number;
  orders: WaitingOrder[];
  /**
   * Whether more orders wait than are listed.
   */
  more: boolean;
}
export type PickUpAnyOrderBody = Record<string, never>;
/**
 * The order as it is now.
 */
export interface PickUpAnyOrderAnswer {
  order_id: string;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
}
export interface ReadAnyStatementQuery {
  /**
   * A month by the clock of the store, such as 2026-11.
   */
  month?: string;
  /**
   * The `next` of the page before: the page after it.
   */
  after?: string;
}
/**
 * At most 100 of each.
 */
export interface ReadImportAnswer {
  run_no: number;
  /**
   * The names of the feeds.
   */
  source: string;
  format: string;
  /**
   * Epoch seconds.
   */
  started_at: number;
  /**
   * Null while it runs, and for an import whose process died. Epoch seconds, or null.
   */
  finished_at: number | null;
  /**
   * The numbers of the report: read, created and so on.
   */
  counts: {
    [k: string]: unknown;
  };
  error_count: number;
  warning_count: number;
  errors: KeptImportFault[];
  warnings: KeptImportFault[];
}
/**
 * The store as it was saved.
 */
export interface ReadManualStoreAnswer {
  /**
   * What customers call it.
   */
  name: string;
  type: 'restaurant' | 'grocery';
  address: {
    /**
     * Number and street.
     */
    street_addr: string;
    /**
     * Unit or floor.
     */
    street_addr_2?: string;
    /**
     * City.
     */
    city: string;
    /**
     * State or province, such as `NY`.
     */
    state: string;
    /**
     * ZIP or postal code.
     */
    zipcode: string;
    country: 'US' | 'CA';
  };
  /**
   * Degrees north.
   */
  latitude: number;
  /**
   * Degrees east.
   */
  longitude: number;
  /**
   * As customers dial it.
   */
  phone?: string;
  /**
   * For the store page.
   */
  description?: string;
  language?: 'en' | 'fr' | 'es';
  /**
   * As `hours` of a feed, such as `{ "operational": "Mo-Su 11:00-21:00" }`.
   */
  hours?: {
    [k: string]: unknown;
  };
  /**
   * @maxItems 50
   *
   * Items: Such as `pizza`.
   */
  cuisines?: string[];
  /**
   * As in a feed: `{ enabled, accepting, prep_minutes }`.
   */
  pickup?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: `{ enabled, accepting, party, radius_miles, prep_minutes }` and so on.
   */
  delivery?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: `delivery_fee`, `service_fee`, `order_minimum`, `sales_tax_percent` and so on.
   */
  fees?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed; without it the store takes no orders for later.
   */
  scheduling?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: URLs of `food`, `logo` and `store`.
   */
  photos?: {
    [k: string]: unknown;
  };
}
/**
 * The operator of the session.
 */
export interface ReadOperatorAnswer {
  operator_id: string;
  name: string;
  /**
   * Each role may do what those before it may.
   */
  role: 'viewer' | 'support' | 'admin';
}
/**
 * The terms of new orders, and those before them.
 */
export interface ReadStoreTermsAnswer {
  store_id: string;
  /**
   * Newest first, at most 100.
   */
  terms: StoreTerms[];
}
export interface ReadTrendsQuery {
  /**
   * How many days; 30 by default.
   */
  days?: '7' | '30' | '90';
  /**
   * Orders of this key mode; live by default.
   */
  mode?: 'live' | 'sandbox';
  /**
   * Orders of this store.
   */
  store_id?: string;
  /**
   * Orders of this account.
   */
  account_id?: string;
}
/**
 * Every day of the range.
 */
export interface ReadTrendsAnswer {
  days: OrderDay[];
  /**
   * Of an empty answer: how many orders of the other key mode the filters find, at most 1,000.
   */
  other_mode_orders: number | null;
}
export type ReadyAnyOrderBody = Record<string, never>;
/**
 * The order as it is now.
 */
export interface ReadyAnyOrderAnswer {
  order_id: string;
  status: 'unplaced' | 'awaiting_confirmation' | 'in_progress' | 'completed' | 'canceled';
}
export interface RefundAnyOrderBody {
  /**
   * Cents to give back; or else `items`.
   */
  amount?: number;
  /**
   * Units to give back, at their price with mark-up and their share of the tax; or else `amount`.
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
     * Units of it.
     */
    quantity: number;
  }[];
  /**
   * Why. It is in the history, and the customer and the account may read it. Required to act.
   */
  reason?: string;
  /**
   * Says what would happen, and does nothing.
   */
  preview?: boolean;
  /**
   * Of the preview that is confirmed. Required to act; the same id acts once.
   */
  preview_id?: string;
}
export type ReplayWebhookCallBody = Record<string, never>;
/**
 * It is due now.
 */
export interface ReplayWebhookCallAnswer {
  webhook_id: string;
  replayed: true;
}
export interface ResendAnyOrderBody {
  /**
   * A message to the order's customer that was sent or has failed.
   */
  message_id?: string;
  /**
   * A channel of the store, which gets the offer again while the order waits for it.
   */
  channel?: 'email' | 'sms' | 'webhook' | 'printer';
  /**
   * A call about the order to the account's endpoint.
   */
  webhook_id?: string;
  /**
   * Why. It is in the history, and the customer and the account may read it. Required to act.
   */
  reason?: string;
  /**
   * Says what would happen, and does nothing.
   */
  preview?: boolean;
  /**
   * Of the preview that is confirmed. Required to act; the same id acts once.
   */
  preview_id?: string;
}
export interface RevokeAnySessionBody {
  /**
   * The store of the session; else an operator.
   */
  store_id?: string;
}
/**
 * It has ended.
 */
export interface RevokeAnySessionAnswer {
  session_id: string;
  revoked: true;
}
export type RevokeKeyBody = Record<string, never>;
/**
 * Every node refuses the key within a second.
 */
export interface RevokeKeyAnswer {
  key_id: string;
  revoked: true;
}
export interface SendStoreInvitationBody {
  email?: string;
  /**
   * In place of `email`.
   */
  phone?: string;
}
/**
 * It is sent within seconds.
 */
export interface SendStoreInvitationAnswer {
  by: 'email' | 'sms';
}
export interface SetAccountLimitsBody {
  /**
   * Whether agents place orders, or hand them over to a person.
   */
  agent_orders?: 'place' | 'handover';
  /**
   * Whether agents may quote orders that are not charged.
   */
  agent_unpaid?: boolean;
  /**
   * Of customers whose orders name none.
   */
  language?: 'en' | 'fr' | 'es';
  /**
   * Carts below their stores' own prices.
   */
  negative_markup?: boolean;
  /**
   * By budget. `declines_user`, `declines_card` and `declines_key` limit the declines per hour of one user, one card and one live key.
   */
  limits?: {
    /**
     * `default` is the setting of the service.
     */
    sms?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    emails?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    unpaid_orders?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    directory_lookups?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    sandbox_directory_lookups?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    unplaced_orders?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    unplaced_bytes?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    declines_user?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    declines_card?: number | ('unlimited' | 'default');
    /**
     * `default` is the setting of the service.
     */
    declines_key?: number | ('unlimited' | 'default');
  };
}
export interface SetAlertWebhookBody {
  /**
   * An https URL on a public host; null: none.
   */
  webhook_url: string | null;
}
/**
 * It is set.
 */
export interface SetAlertWebhookAnswer {
  /**
   * Where alerts are posted to.
   */
  webhook_url: string | null;
  /**
   * Shown once.
   */
  signing_secret: string | null;
}
export interface SetManualStoreBody {
  /**
   * What customers call it.
   */
  name: string;
  type: 'restaurant' | 'grocery';
  address: {
    /**
     * Number and street.
     */
    street_addr: string;
    /**
     * Unit or floor.
     */
    street_addr_2?: string;
    /**
     * City.
     */
    city: string;
    /**
     * State or province, such as `NY`.
     */
    state: string;
    /**
     * ZIP or postal code.
     */
    zipcode: string;
    country: 'US' | 'CA';
  };
  /**
   * Degrees north.
   */
  latitude: number;
  /**
   * Degrees east.
   */
  longitude: number;
  /**
   * As customers dial it.
   */
  phone?: string;
  /**
   * For the store page.
   */
  description?: string;
  language?: 'en' | 'fr' | 'es';
  /**
   * As `hours` of a feed, such as `{ "operational": "Mo-Su 11:00-21:00" }`.
   */
  hours?: {
    [k: string]: unknown;
  };
  /**
   * @maxItems 50
   *
   * Items: Such as `pizza`.
   */
  cuisines?: string[];
  /**
   * As in a feed: `{ enabled, accepting, prep_minutes }`.
   */
  pickup?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: `{ enabled, accepting, party, radius_miles, prep_minutes }` and so on.
   */
  delivery?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: `delivery_fee`, `service_fee`, `order_minimum`, `sales_tax_percent` and so on.
   */
  fees?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed; without it the store takes no orders for later.
   */
  scheduling?: {
    [k: string]: unknown;
  };
  /**
   * As in a feed: URLs of `food`, `logo` and `store`.
   */
  photos?: {
    [k: string]: unknown;
  };
}
/**
 * Search finds the store within two seconds. It takes orders once it has a menu.
 */
export interface SetManualStoreAnswer {
  store_id: string;
  /**
   * The store that search shows in its place, where both are one business.
   */
  merged_into: string | null;
}
export interface SetOperatorBody {
  /**
   * The name that the history of changes shows.
   */
  name?: string;
  /**
   * Each role may do what those before it may.
   */
  role?: 'viewer' | 'support' | 'admin';
  /**
   * An email address; empty for none.
   */
  email?: string;
  /**
   * A phone number; empty for none.
   */
  phone?: string;
  /**
   * Whether the operator is kept out.
   */
  disabled?: boolean;
}
export interface SetStoreChannelsBody {
  /**
   * One email address.
   */
  email?: string;
  /**
   * A phone number.
   */
  sms?: string;
  /**
   * The URL of a point of sale.
   */
  webhook?: string;
  /**
   * HOST:PORT of a printer.
   */
  printer?: string;
  /**
   * Whether the operator's view takes orders of the store.
   */
  operator?: boolean;
  /**
   * When the printer prints the kitchen ticket.
   */
  print_at?: 'offered' | 'confirmed';
  /**
   * The first channel that has an order confirms it with these.
   */
  auto_confirm_minutes?: number;
  /**
   * What is taken away.
   *
   * @maxItems 7
   */
  remove?: ('email' | 'sms' | 'webhook' | 'printer' | 'operator' | 'console' | 'auto_confirm')[];
}
export interface SetStoreSwitchesBody {
  /**
   * Whether the store takes orders.
   */
  online_ordering?: boolean;
  /**
   * Whether it accepts delivery orders now.
   */
  accept_delivery?: boolean;
  /**
   * Whether it accepts pickup orders now.
   */
  accept_pickup?: boolean;
}
/**
 * As they are now.
 */
export interface SetStoreSwitchesAnswer {
  store_id: string;
  /**
   * Whether the store takes orders.
   */
  online_ordering: boolean;
  /**
   * Whether it accepts delivery orders now.
   */
  accept_delivery: boolean;
  /**
   * Whether it accepts pickup orders now.
   */
  accept_pickup: boolean;
}
export interface SetStoreTermsBody {
  /**
   * Percent of the items' subtotal, with at most six decimals.
   */
  commission?: number;
  /**
   * Fee per order.
   */
  per_order_cents?: number;
  /**
   * Who gets it; `default`: the operator where an outside courier drives, else the store.
   */
  delivery_fee?: 'store' | 'operator' | 'default';
  /**
   * Who gets it.
   */
  tip?: 'driver' | 'store';
  /**
   * Who remits the taxes.
   */
  tax?: 'operator' | 'store';
}
/**
 * The terms of new orders, and those before them.
 */
export interface SetStoreTermsAnswer {
  store_id: string;
  /**
   * Newest first, at most 100.
   */
  terms: StoreTerms[];
}
export interface SwitchDutyBody {
  /**
   * Whether alerts go to you.
   */
  on_duty: boolean;
}
export interface TipAnyOrderBody {
  /**
   * Cents. The whole tip.
   */
  driver_tip_cents: number;
  /**
   * Why. It is in the history, and the customer and the account may read it. Required to act.
   */
  reason?: string;
  /**
   * Says what would happen, and does nothing.
   */
  preview?: boolean;
  /**
   * Of the preview that is confirmed. Required to act; the same id acts once.
   */
  preview_id?: string;
}
export type UndoMergeBody = Record<string, never>;

/** What each operation asks and answers. An answer that is no JSON is its bytes. */
export interface Operations {
  acknowledgeAlert: {
    path: { alert_id: string };
    query: undefined;
    body: AcknowledgeAlertBody;
    answer: AcknowledgeAlertAnswer;
  };
  acknowledgeAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: AcknowledgeAnyOrderBody;
    answer: AcknowledgeAnyOrderAnswer;
  };
  addManualStore: {
    path: undefined;
    query: undefined;
    body: AddManualStoreBody;
    answer: AddManualStoreAnswer;
  };
  adjustAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: AdjustAnyOrderBody;
    answer: OperatorOrderChange;
  };
  cancelAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: CancelAnyOrderBody;
    answer: OperatorOrderChange;
  };
  closeStatements: {
    path: undefined;
    query: undefined;
    body: CloseStatementsBody;
    answer: CloseStatementsAnswer;
  };
  completeAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: CompleteAnyOrderBody;
    answer: CompleteAnyOrderAnswer;
  };
  confirmAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: ConfirmAnyOrderBody;
    answer: ConfirmAnyOrderAnswer;
  };
  createAccount: {
    path: undefined;
    query: undefined;
    body: CreateAccountBody;
    answer: ListedAccount;
  };
  createKey: {
    path: { account_id: string };
    query: undefined;
    body: CreateKeyBody;
    answer: NewKey;
  };
  createOperatorCode: {
    path: { operator_id: string };
    query: undefined;
    body: CreateOperatorCodeBody;
    answer: OperatorInvitation;
  };
  createStoreKey: {
    path: { store_id: string };
    query: undefined;
    body: CreateStoreKeyBody;
    answer: NewKey;
  };
  geocodeForOperator: {
    path: undefined;
    query: GeocodeForOperatorQuery;
    body: undefined;
    answer: GeocodeForOperatorAnswer;
  };
  inviteOperator: {
    path: undefined;
    query: undefined;
    body: InviteOperatorBody;
    answer: OperatorInvitation;
  };
  inviteStore: {
    path: { store_id: string };
    query: undefined;
    body: InviteStoreBody;
    answer: InviteStoreAnswer;
  };
  listAlerts: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ListAlertsAnswer;
  };
  listAnyAccounts: {
    path: undefined;
    query: ListAnyAccountsQuery;
    body: undefined;
    answer: ListAnyAccountsAnswer;
  };
  listAnyOrders: {
    path: undefined;
    query: ListAnyOrdersQuery;
    body: undefined;
    answer: ListAnyOrdersAnswer;
  };
  listAnyStores: {
    path: undefined;
    query: ListAnyStoresQuery;
    body: undefined;
    answer: ListAnyStoresAnswer;
  };
  listImports: {
    path: undefined;
    query: ListImportsQuery;
    body: undefined;
    answer: ListImportsAnswer;
  };
  listMerges: {
    path: undefined;
    query: ListMergesQuery;
    body: undefined;
    answer: ListMergesAnswer;
  };
  listOperatorActions: {
    path: undefined;
    query: ListOperatorActionsQuery;
    body: undefined;
    answer: ListOperatorActionsAnswer;
  };
  listOperatorSessions: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ListOperatorSessionsAnswer;
  };
  listOperators: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ListOperatorsAnswer;
  };
  listStatements: {
    path: undefined;
    query: ListStatementsQuery;
    body: undefined;
    answer: ListStatementsAnswer;
  };
  listWaitingOrders: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ListWaitingOrdersAnswer;
  };
  pickUpAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: PickUpAnyOrderBody;
    answer: PickUpAnyOrderAnswer;
  };
  readAnyAccount: {
    path: { account_id: string };
    query: undefined;
    body: undefined;
    answer: OperatorAccount;
  };
  readAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: undefined;
    answer: OperatorOrder;
  };
  readAnyStatement: {
    path: { store_id: string };
    query: ReadAnyStatementQuery;
    body: undefined;
    answer: OwnersStatement;
  };
  readAnyStore: {
    path: { store_id: string };
    query: undefined;
    body: undefined;
    answer: OperatorStore;
  };
  readImport: {
    path: { run_no: string };
    query: undefined;
    body: undefined;
    answer: ReadImportAnswer;
  };
  readManualStore: {
    path: { store_id: string };
    query: undefined;
    body: undefined;
    answer: ReadManualStoreAnswer;
  };
  readOperator: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ReadOperatorAnswer;
  };
  readServiceHealth: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ServiceHealth;
  };
  readStoreTerms: {
    path: { store_id: string };
    query: undefined;
    body: undefined;
    answer: ReadStoreTermsAnswer;
  };
  readTrends: {
    path: undefined;
    query: ReadTrendsQuery;
    body: undefined;
    answer: ReadTrendsAnswer;
  };
  readyAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: ReadyAnyOrderBody;
    answer: ReadyAnyOrderAnswer;
  };
  refundAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: RefundAnyOrderBody;
    answer: OperatorOrderChange;
  };
  replayWebhookCall: {
    path: { webhook_id: string };
    query: undefined;
    body: ReplayWebhookCallBody;
    answer: ReplayWebhookCallAnswer;
  };
  resendAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: ResendAnyOrderBody;
    answer: OperatorOrderChange;
  };
  revokeAnySession: {
    path: { session_id: string };
    query: undefined;
    body: RevokeAnySessionBody;
    answer: RevokeAnySessionAnswer;
  };
  revokeKey: {
    path: { key_id: string };
    query: undefined;
    body: RevokeKeyBody;
    answer: RevokeKeyAnswer;
  };
  sendStoreInvitation: {
    path: { store_id: string };
    query: undefined;
    body: SendStoreInvitationBody;
    answer: SendStoreInvitationAnswer;
  };
  setAccountLimits: {
    path: { account_id: string };
    query: undefined;
    body: SetAccountLimitsBody;
    answer: AccountLimits;
  };
  setAlertWebhook: {
    path: undefined;
    query: undefined;
    body: SetAlertWebhookBody;
    answer: SetAlertWebhookAnswer;
  };
  setManualStore: {
    path: { store_id: string };
    query: undefined;
    body: SetManualStoreBody;
    answer: SetManualStoreAnswer;
  };
  setOperator: {
    path: { operator_id: string };
    query: undefined;
    body: SetOperatorBody;
    answer: Operator;
  };
  setStoreChannels: {
    path: { store_id: string };
    query: undefined;
    body: SetStoreChannelsBody;
    answer: OperatorChannels;
  };
  setStoreSwitches: {
    path: { store_id: string };
    query: undefined;
    body: SetStoreSwitchesBody;
    answer: SetStoreSwitchesAnswer;
  };
  setStoreTerms: {
    path: { store_id: string };
    query: undefined;
    body: SetStoreTermsBody;
    answer: SetStoreTermsAnswer;
  };
  switchDuty: {
    path: undefined;
    query: undefined;
    body: SwitchDutyBody;
    answer: OperatorDuty;
  };
  tipAnyOrder: {
    path: { order_id: string };
    query: undefined;
    body: TipAnyOrderBody;
    answer: OperatorOrderChange;
  };
  undoMerge: {
    path: { merge_id: string };
    query: undefined;
    body: UndoMergeBody;
    answer: ListedMerge;
  };
}

/** Where each operation is. */
export const OPERATIONS = {
  acknowledgeAlert: { method: 'POST', path: '/operator/alerts/{alert_id}/acknowledge', takesIdempotencyKey: false },
  acknowledgeAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/acknowledge', takesIdempotencyKey: false },
  addManualStore: { method: 'POST', path: '/operator/stores', takesIdempotencyKey: false },
  adjustAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/adjust', takesIdempotencyKey: false },
  cancelAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/cancel', takesIdempotencyKey: false },
  closeStatements: { method: 'POST', path: '/operator/statements/close', takesIdempotencyKey: false },
  completeAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/complete', takesIdempotencyKey: false },
  confirmAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/confirm', takesIdempotencyKey: false },
  createAccount: { method: 'POST', path: '/operator/accounts', takesIdempotencyKey: false },
  createKey: { method: 'POST', path: '/operator/accounts/{account_id}/keys', takesIdempotencyKey: false },
  createOperatorCode: { method: 'POST', path: '/operator/operators/{operator_id}/invite', takesIdempotencyKey: false },
  createStoreKey: { method: 'POST', path: '/operator/stores/{store_id}/keys', takesIdempotencyKey: false },
  geocodeForOperator: { method: 'GET', path: '/operator/geocode', takesIdempotencyKey: false },
  inviteOperator: { method: 'POST', path: '/operator/operators', takesIdempotencyKey: false },
  inviteStore: { method: 'POST', path: '/operator/stores/{store_id}/invite', takesIdempotencyKey: false },
  listAlerts: { method: 'GET', path: '/operator/alerts', takesIdempotencyKey: false },
  listAnyAccounts: { method: 'GET', path: '/operator/accounts', takesIdempotencyKey: false },
  listAnyOrders: { method: 'GET', path: '/operator/orders', takesIdempotencyKey: false },
  listAnyStores: { method: 'GET', path: '/operator/stores', takesIdempotencyKey: false },
  listImports: { method: 'GET', path: '/operator/imports', takesIdempotencyKey: false },
  listMerges: { method: 'GET', path: '/operator/merges', takesIdempotencyKey: false },
  listOperatorActions: { method: 'GET', path: '/operator/actions', takesIdempotencyKey: false },
  listOperatorSessions: { method: 'GET', path: '/operator/sessions', takesIdempotencyKey: false },
  listOperators: { method: 'GET', path: '/operator/operators', takesIdempotencyKey: false },
  listStatements: { method: 'GET', path: '/operator/statements', takesIdempotencyKey: false },
  listWaitingOrders: { method: 'GET', path: '/operator/orders/waiting', takesIdempotencyKey: false },
  pickUpAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/pick_up', takesIdempotencyKey: false },
  readAnyAccount: { method: 'GET', path: '/operator/accounts/{account_id}', takesIdempotencyKey: false },
  readAnyOrder: { method: 'GET', path: '/operator/orders/{order_id}', takesIdempotencyKey: false },
  readAnyStatement: { method: 'GET', path: '/operator/stores/{store_id}/statement', takesIdempotencyKey: false },
  readAnyStore: { method: 'GET', path: '/operator/stores/{store_id}', takesIdempotencyKey: false },
  readImport: { method: 'GET', path: '/operator/imports/{run_no}', takesIdempotencyKey: false },
  readManualStore: { method: 'GET', path: '/operator/stores/{store_id}/profile', takesIdempotencyKey: false },
  readOperator: { method: 'GET', path: '/operator/me', takesIdempotencyKey: false },
  readServiceHealth: { method: 'GET', path: '/operator/health', takesIdempotencyKey: false },
  readStoreTerms: { method: 'GET', path: '/operator/stores/{store_id}/terms', takesIdempotencyKey: false },
  readTrends: { method: 'GET', path: '/operator/trends', takesIdempotencyKey: false },
  readyAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/ready', takesIdempotencyKey: false },
  refundAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/refund', takesIdempotencyKey: false },
  replayWebhookCall: { method: 'POST', path: '/operator/webhook-calls/{webhook_id}/replay', takesIdempotencyKey: false },
  resendAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/resend', takesIdempotencyKey: false },
  revokeAnySession: { method: 'POST', path: '/operator/sessions/{session_id}/revoke', takesIdempotencyKey: false },
  revokeKey: { method: 'POST', path: '/operator/keys/{key_id}/revoke', takesIdempotencyKey: false },
  sendStoreInvitation: { method: 'POST', path: '/operator/stores/{store_id}/invitations', takesIdempotencyKey: false },
  setAccountLimits: { method: 'POST', path: '/operator/accounts/{account_id}/limits', takesIdempotencyKey: false },
  setAlertWebhook: { method: 'POST', path: '/operator/duty/webhook', takesIdempotencyKey: false },
  setManualStore: { method: 'POST', path: '/operator/stores/{store_id}/profile', takesIdempotencyKey: false },
  setOperator: { method: 'POST', path: '/operator/operators/{operator_id}', takesIdempotencyKey: false },
  setStoreChannels: { method: 'POST', path: '/operator/stores/{store_id}/channels', takesIdempotencyKey: false },
  setStoreSwitches: { method: 'POST', path: '/operator/stores/{store_id}/switches', takesIdempotencyKey: false },
  setStoreTerms: { method: 'POST', path: '/operator/stores/{store_id}/terms', takesIdempotencyKey: false },
  switchDuty: { method: 'POST', path: '/operator/duty', takesIdempotencyKey: false },
  tipAnyOrder: { method: 'POST', path: '/operator/orders/{order_id}/tip', takesIdempotencyKey: false },
  undoMerge: { method: 'POST', path: '/operator/merges/{merge_id}/undo', takesIdempotencyKey: false },
} as const satisfies Record<keyof Operations, object>;
