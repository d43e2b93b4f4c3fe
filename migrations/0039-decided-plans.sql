-- Has the trigger of 0038 decide the plans of earlier orders.
-- Runs in batches.
update orders set money_plan = null
where order_id in (select order_id from orders where money_plan is null and status <> 'unplaced' limit 1000);
