-- Links of SMS: each short one leads to a longer one, which only the service's secret opens.
create table short_links (
  code_hash bytea primary key,
  target text not null,
  created_at timestamptz not null
);
create index short_links_age on short_links (created_at);
