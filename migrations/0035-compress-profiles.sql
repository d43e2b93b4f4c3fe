-- Profiles of stores, and choices of products, are compressed by LZ4 where the server has it: inserting a store takes a
-- quarter less of PostgreSQL's processor time than by PostgreSQL's own method, and a tenth more bytes. Rows that are there
-- keep their method until they are written again. A server without LZ4, such as the embedded one, keeps its own method.
do $$ begin
  alter table stores alter column profile set compression lz4;
  alter table products alter column customizations set compression lz4;
exception when feature_not_supported then
  null;
end $$;
