-- The trace of the work that wrote an event (W3C traceparent), so that what follows from the event joins the trace. Null
-- where no collector takes traces, and for events of earlier versions.
alter table order_events add column traceparent text;
