-- Old nodes must stop.
-- Kitchens with a stated room, busy ones, delays, what a store gives back, printers that poll, and stations. Nodes of the
-- earlier version would count slots in a table of the old name, and know no room.

-- The kitchen's limits that were set in place of the profile's (Kitchen); null: those of the profile. The start of the
-- first quarter of an hour in which the kitchen has room for a live order, as search shows it; null: now. The minutes that
-- its busy kitchen adds to every new order's, and until when. The minutes that it quotes by hour of the week, learned from
-- its orders, and when; null: those that it states. What the store may refund a day itself; 0: nothing, null: no limit.
alter table stores
  add column own_kitchen jsonb,
  add column room_from timestamptz,
  add column busy_minutes integer,
  add column busy_until timestamptz,
  add column learned_minutes jsonb,
  add column learned_at timestamptz,
  add column refund_limit_cents bigint,
  add constraint stores_busy_minutes_check check (busy_minutes between 5 and 60) not valid;

-- What orders hold of a store: `version` counts the changes of slot_holds and of the kitchen for the caches of
-- inventories. The orders and items that the kitchen cooks in each quarter of an hour: KitchenLoad. When the room of live
-- orders is next written to `stores`, from where search gets it.
alter table slot_versions rename to store_loads;
alter table store_loads rename constraint slot_versions_pkey to store_loads_pkey;
alter table store_loads rename constraint slot_versions_store_id_fkey to store_loads_store_id_fkey;
alter table store_loads
  add column kitchen jsonb not null default '{}',
  add column publish_at timestamptz,
  add column leased_until timestamptz;

-- The quarters of an hour in which its kitchen cooks it: CookedPart[].
alter table orders add column room_held jsonb not null default '[]';

-- A printer among several is `printer:NAME`: the categories whose items it prints; null: all. Of a printer that polls: the
-- hash of the secret in its URL, and a moment at most 20 s before its last poll.
alter table store_channels drop constraint store_channels_channel_check;
alter table store_channels
  add column categories text[],
  add column secret_hash bytea unique,
  add column seen_at timestamptz,
  add constraint store_channels_channel_check
    check (channel ~ '^(console|email|sms|webhook|operator|printer(:[a-z][a-z0-9_-]{0,30})?)$');

alter table store_notices drop constraint store_notices_kind_check;
alter table store_notices add constraint store_notices_kind_check check (kind in ('offered', 'confirmed', 'delayed',
  'item_changed', 'updated', 'ready', 'driver_assigned', 'picked_up', 'driver_nearby', 'completed', 'canceled', 'refunded',
  'tipped', 'kitchen_copy', 'receipt_copy')) not valid;
