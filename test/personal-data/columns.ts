/**
 * Columns of text, JSON and bytes that hold no personal data of a customer, or keep it for a reason. Every other one is
 * cleared with its order (`PERSONAL_DATA`) or leaves by age (`retentionsOf`). A new column belongs to one of the three.
 */

/** IDs, codes, names of things and settings. */
const NONE = {
  access_codes: 'code_hash store_id operator_id account_id staff_id',
  account_limits: 'account_id kind',
  api_keys: 'key_id account_id store_id mode key_hash hint scopes origins',
  budget_use: 'account_id mode kind',
  categories: 'store_id external_id name menu_hours tax_classes',
  // A gateway's fingerprint of the card, of which nothing can be read.
  charged_cards: 'account_id card',
  closed_months: 'month',
  courier_deliveries: 'order_id gateway key state quote_id delivery_id currency last_event_id',
  delivery_proofs: 'order_id',
  gateway_events: 'event_id kind charge_id order_id status reason',
  import_runs: 'source format counts errors warnings',
  jobs: 'kind traceparent',
  ledger_entries: 'order_id store_id account_id mode month date kind tax_lines',
  menu_changes: 'store_id actor actor_id action target name before after',
  menu_edits: 'store_id kind external_id feed patch',
  menus: 'store_id',
  // Hashes, for an hour.
  code_guesses: 'guesser code_hash',
  migration_stops: 'name',
  migrations: 'name hash',
  agent_rules: 'account_id hosts blocked_hosts',
  oauth_clients: 'client_id account_id name redirect_uris secret_hash previous_hash jwks_uri',
  oauth_tokens: 'token_hash grant_id kind scopes',
  operator_actions: 'session_id action target',
  order_counters: 'store_id account_id',
  order_days: 'mode store_id account_id',
  order_events: 'order_id type traceparent',
  order_refund_parts: 'refund_id charge_id gateway_key state gateway_refund_id',
  order_refunds: 'refund_id order_id key kind requested_by items shares state',
  order_tips: 'order_id payment_method_id requested_by state charge_id',
  // `customer_order_id` and `idempotency_key` are the account's own.
  orders: `order_id account_id mode store_id customer_order_id idempotency_key order_number status checkout_key adjustments
    money_plan payment_method_id charge_state charge_id waiting_charge_id collected_by stock_held room_held
    driver_stage`,
  payment_methods: 'payment_method_id account_id mode gateway_token fingerprint brand last4',
  photo_files: 'photo_id size bytes',
  photos: 'photo_id store_id storage sizes',
  place_links: 'directory directory_place_id place_id store_id',
  products: `store_id external_id name search_words description image thumbnail_image unit_of_measurement upc_code food hours
    customizations options_off full_customizations feed_hash tax_class weight`,
  promotion_codes: 'code_hash promotion_id',
  promotion_counts: 'promotion_id sandbox',
  // HMACs of a user, phone and email, and a hash of a card, so that counts stay when the user is forgotten.
  promotion_uses: 'order_id promotion_id sandbox user_hash card_hash code_hash identities',
  promotions: 'promotion_id offered_by owner_id external_id details store_ids code',
  sandbox_gateway_cards: 'token brand last4 charge_status decline_code',
  sandbox_gateway_charges: 'charge_id idempotency_key order_id card_token currency status decline_code link return_url',
  sandbox_gateway_refunds: 'idempotency_key refund_id charge_id',
  sandbox_stock: 'store_id account_id',
  settings: 'name value',
  slot_holds: 'store_id account_id',
  store_couriers: 'store_id gateway',
  store_loads: 'store_id account_id kitchen',
  store_merges: 'merge_id store_id into_store_id reason',
  store_terms: 'store_id delivery_fee tax',
  tax_records: 'order_id record',
  ucp_calls: 'webhook_id profile_url order_id type state last_error',
  // A place as wide as a postal code, and no buyer.
  ucp_carts: 'cart_id account_id mode profile_url store_id content checkout_id',
  ucp_platforms: 'profile_url account_id mode orders',
};

/** Of accounts, stores, their people and operators, who are no customers (docs/personal-data.md). */
const BUSINESS = {
  accounts: 'account_id name agent_orders',
  alert_notice_items: 'alert_id operator_id way phase notice_id',
  brandings: `account_id display_name language logo_url cover_url welcome corners font color favicon favicon_type from_address bcc_address help_url help_email
    help_phone terms_url privacy_url reorder_url on_its_way delivered tracking_host`,
  console_sessions: 'session_id store_id operator_id account_id staff_id token_hash previous_hash device',
  // IDs, and addresses of operators and stores' drivers.
  jobs: 'payload',
  // The store's own drivers, with their tips.
  ledger_orders: 'order_id store_id account_id mode order_number state driver_name delivered_on write_error',
  manual_stores: 'store_id line',
  operators: 'operator_id name email phone role alert_webhook_url alert_webhook_secret',
  promotion_agreements: 'promotion_id store_id agreed_by',
  shown_promotions: 'store_id queue',
  // Sealed with the service's secret.
  short_links: 'code_hash target',
  // Its key is publishable: every page of the shop has it.
  shops: 'account_id mode key_id key store_ids near ucp',
  sign_in_failures: 'client',
  store_channels: `store_id channel target signing_secret previous_signing_secret print_at encoding categories secret_hash
    last_error`,
  store_notes: 'note_id store_id written_by writer text',
  store_staff: 'staff_id store_id name',
  stores: `store_id source external_id profile brand origins language own_hours own_hours_exceptions own_photos own_kitchen learned_minutes offers
    merged_into sandbox_accounts feed_hash agreement delist_reason tax_class tax_ids
    feed_settings scale_labels`,
  webhook_endpoints: 'account_id mode url secret previous_secret',
};

/** Kept until the customer deletes the card, which clears them. */
const SAVED_CARDS = { payment_methods: 'user_email user_id' };

/** Kept until the customer is forgotten, with what the sign-in connected. */
const SIGN_INS = {
  customers: 'account_id mode user_id email phone first_name last_name language',
  customer_addresses: 'account_id mode user_id address door',
  agent_actions: 'grant_id order_id operation',
  oauth_grants: `grant_id account_id mode user_id client_id client_name client_host scopes redirect_uri code_challenge resource
    code_hash`,
};

/** `table.column` of each. */
export const OTHER_COLUMNS: readonly string[] = [NONE, BUSINESS, SAVED_CARDS, SIGN_INS].flatMap((tables) =>
  Object.entries(tables).flatMap(([table, names]) => names.split(/\s+/).map((column) => `${table}.${column}`)),
);
