-- What payers of discounts take off: the store, the account, the operator, at most zero; null is zero. Sales are at list
-- prices.
alter table ledger_entries add column store_discount_cents bigint;
alter table ledger_entries add column account_discount_cents bigint;
alter table ledger_entries add column operator_discount_cents bigint;

-- A unit that was free gives nothing back, but its payer does not pay for it any more.
alter table order_refunds drop constraint order_refunds_cents_check,
  add constraint order_refunds_cents_check check (cents >= 0) not valid;
