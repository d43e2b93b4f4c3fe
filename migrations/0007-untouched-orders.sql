-- When an unplaced order was last quoted anew, or tried to be placed; null since it was created.
alter table orders add column requoted_at timestamptz;

-- Unplaced orders by when somebody last touched them. Orders that are charged at once never come into it: they are
-- pending until they are placed.
create index orders_untouched on orders (coalesce(requoted_at, created_at))
  where status = 'unplaced' and charge_state in ('none', 'declined');
