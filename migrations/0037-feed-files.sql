-- The one file that a feed has come from: the machine and the path. Null where it has come from several files, from
-- standard input, or had stores before this table.
create table feed_files (
  source text primary key,
  file text
);
