-- A webhook call has attempts; a delivery is what a courier makes.
alter table webhook_deliveries rename to webhook_calls;
alter index webhook_deliveries_due rename to webhook_calls_due;
alter index webhook_deliveries_by_endpoint rename to webhook_calls_by_endpoint;
