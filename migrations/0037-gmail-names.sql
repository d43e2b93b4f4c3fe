-- The mailbox of an email address: in lower case, without +tag; in Gmail, googlemail.com included, without dots.
create or replace function mailbox_of(email text) returns text language sql immutable parallel safe as $$
  select case when lower(email collate "C") like any ('{%@gmail.com,%@googlemail.com}')
    then replace(split_part(regexp_replace(lower(email collate "C"), '([^@])\+[^@]*@', '\1@'), '@', 1), '.', '') || '@gmail.com'
    else regexp_replace(lower(email collate "C"), '([^@])\+[^@]*@', '\1@') end
$$;
