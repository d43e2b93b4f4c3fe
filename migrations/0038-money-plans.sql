-- How each order is paid, decided when it is placed. Nodes of earlier versions decide none: the trigger does.
alter table orders add column money_plan text;
alter table orders add constraint orders_money_plan_check check (money_plan in ('charged', 'held', 'maximum_charged',
  'collected', 'paid_to_store', 'external', 'free')) not valid;

create function decide_money_plan() returns trigger language plpgsql as $$
begin
  new.money_plan := case
    when not new.charge_user and new.request->>'placedBy' = 'store' and new.total_with_tip > 0 then 'paid_to_store'
    when not new.charge_user then 'external'
    when new.total_with_tip = 0 then 'free'
    when new.hold_attempt is not null then 'held'
    when new.authorized_cents is not null then 'maximum_charged'
    when new.charge_state = 'to_collect' or new.collected_cents is not null or new.charged_cents = 0 then 'collected'
    else 'charged' end;
  return new;
end $$;

create trigger orders_money_plan before insert or update on orders for each row
  when (new.money_plan is null and new.status <> 'unplaced') execute function decide_money_plan();
