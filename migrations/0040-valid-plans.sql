-- Every plan is one of the known ones.
alter table orders validate constraint orders_money_plan_check;
