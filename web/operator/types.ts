/** Answers of the routes of operators, as `/openapi.json` describes them. */
export type WaitingOffer = {
  channel: string;
  state: 'waiting' | 'sent' | 'acknowledged' | 'withdrawn';
  attempts: number;
  sent_at: number | null;
  last_error: string | null;
  failing_since: number | null;
};
export type WaitingOrder = {
  order_id: string;
  order_number: string;
  account_id: string;
  account_name: string;
  store_id: string;
  store_name: string;
  store_phone: number | null;
  store_time_zone: string;
  pickup: boolean;
  item_count: number;
  total_with_tip: number;
  offered_at: number;
  received_at: number | null;
  confirm_by: number | null;
  scheduled_for: number | null;
  rings_at: number | null;
  offers: WaitingOffer[];
};
export type Waiting = { now: number; orders: WaitingOrder[]; more: boolean };

export type Mode = 'live' | 'sandbox';
export type Page<Name extends string, Row> = Record<Name, Row[]> & { next: string | null };

export type ListedOrder = {
  order_id: string;
  order_number: string | null;
  account_id: string;
  account_name: string;
  mode: Mode;
  store_id: string;
  store_name: string;
  status: string;
  pickup: boolean;
  total_with_tip: number;
  charge_state: string;
  refunded_amount: number;
  customer_order_id: string | null;
  placed_at: number | null;
  created_at: number;
};

export type OrderNotice = {
  channel: string;
  kind: string;
  state: 'waiting' | 'sent' | 'acknowledged' | 'withdrawn';
  attempts: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
  acknowledged_at: number | null;
};
export type OrderMessage = {
  message_id: string;
  channel: string;
  kind: string;
  state: string;
  to: string;
  attempts: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
};
export type OrderCall = {
  webhook_id: string;
  type: string;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  next_attempt_at: number | null;
};
export type OrderEvent = { sequence: number; type: string; at: number; data: Record<string, unknown> };
export type Action = {
  action_no: number;
  at: number;
  session_id: string;
  action: string;
  target: string;
  details: Record<string, unknown>;
};
export type OrderRecord = {
  order_id: string;
  order_number: string;
  customer_order_id: string;
  mode: Mode;
  account_id: string;
  account_name: string;
  store_id: string;
  store_name: string;
  store_phone: number | null;
  status: string;
  is_ready: boolean;
  pickup: boolean;
  cancel_reason: string | null;
  created_at: number;
  placed_at: number | null;
  offered_at: number | null;
  received_at: number | null;
  confirm_by: number | null;
  ready_by: number | null;
  eta: number | null;
  scheduled_for: number | null;
  steps: string[];
  customer: { name: string; phone: number | null; address: string | null; notes: string };
  items: { name: string; quantity: number; options: string[]; notes: string; change: string | null; total: number }[];
  subtotal: number;
  fees: number;
  tax: number;
  tip: number;
  total_with_tip: number;
  tracking_link: string;
  charge: {
    charge_state: string;
    charge_id: string | null;
    attempts: number;
    started_at: number | null;
    charged_amount: number;
    refunded_amount: number;
    refunding_amount: number;
  };
  events: OrderEvent[];
  notices: OrderNotice[];
  messages: OrderMessage[];
  webhook_calls: OrderCall[];
  actions: Action[];
};

export type ListedAccount = { account_id: string; name: string; created_at: number };
export type Key = {
  key_id: string;
  mode: Mode;
  store_id: string | null;
  account_id: string | null;
  hint: string;
  created_at: number;
  revoked_at: number | null;
};
export type Account = ListedAccount & {
  keys: Key[];
  brand: {
    display_name: string | null;
    logo_url: string | null;
    from_address: string | null;
    bcc_address: string | null;
    tracking_host: string | null;
    has_favicon: boolean;
  };
  endpoints: { mode: Mode; url: string; enabled: boolean; failing_since: number | null }[];
  limits: AccountLimits;
};
export type CardBreaker = {
  account_id: string;
  mode: Mode;
  scope: 'user' | 'card' | 'key';
  subject: string;
  declines: number;
  held_back_until: number;
};
export type AccountLimits = {
  negative_markup: boolean;
  budgets: { budget: string; mode: Mode; used: number; limit: number | null; is_own: boolean }[];
  declines_per_hour: { scope: CardBreaker['scope']; limit: number | null; is_own: boolean }[];
  held_back: CardBreaker[];
};
export type NewKey = { key_id: string; key: string; mode: Mode };

export type FoundStore = {
  store_id: string;
  name: string;
  city: string;
  state: string;
  source: string;
  listed: boolean;
  merged_into: string | null;
  online_ordering: boolean;
  has_catalogue: boolean;
  has_channel: boolean;
  is_failing: boolean;
};
export type Channel = {
  channel: string;
  target: string | null;
  failing_since: number | null;
  last_error: string | null;
  print_at?: string;
  encoding?: string;
};
export type Session = { session_id: string; device: string; created_at: number; seen_at: number; is_this?: boolean };
export type Store = FoundStore & {
  address: string;
  phone: number | null;
  time_zone: string;
  accept_delivery: boolean;
  accept_pickup: boolean;
  delivery_enabled: boolean;
  pickup_enabled: boolean;
  delivery_parties: readonly { party: string; accepting: boolean; reach: string }[];
  channels: Channel[];
  auto_confirm_minutes: number | null;
  sessions: Session[];
  keys: Key[];
};
export type Merge = {
  merge_id: string;
  store_id: string;
  name: string;
  source: string;
  into_store_id: string;
  into_name: string;
  into_source: string;
  reason: string;
  metres: number;
  decided_at: number;
  ended_at: number | null;
  undone_at: number | null;
  state: 'merged' | 'ended' | 'undone';
};
