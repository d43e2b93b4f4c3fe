-- Hours of single dates that a store set itself (HoursException[]); null: those of the profile.
alter table stores add column own_hours_exceptions jsonb;
