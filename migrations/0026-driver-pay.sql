-- What a store pays its own drivers for a delivery, which their page shows; 0 is not shown.
alter table stores add column driver_pay_cents integer not null default 0;
