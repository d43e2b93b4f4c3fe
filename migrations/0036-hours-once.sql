-- A profile may leave out the hours of a channel that are those of `operational`. Versions without this migration cannot
-- read that. A database without stores has such profiles from here on, and tells those versions to stop; a database with
-- stores may have nodes of those versions, and keeps whole profiles.
do $$ begin
  if not exists (select from stores) then
    insert into migration_stops values ('0036-hours-once.sql') on conflict do nothing;
  end if;
end $$;
