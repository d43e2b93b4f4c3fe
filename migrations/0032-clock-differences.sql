-- Machines whose clocks differ from the database's by more than a few seconds.
create table clock_differences (
  host text primary key,
  -- Negative where the machine's clock is behind.
  ahead_seconds double precision not null,
  -- Repeated every minute while it differs; the row is deleted a day later.
  measured_at timestamptz not null
);
