-- By what a use's customer is known, as HMACs: user_id, phone, email and card. Null where users are not limited.
alter table promotion_uses add column identities text[];

-- The mailbox of an email address: in lower case, without +tag; in Gmail without dots.
create function mailbox_of(email text) returns text language sql immutable parallel safe as $$
  select case when lower(email collate "C") like '%@gmail.com'
    then replace(left(regexp_replace(lower(email collate "C"), '([^@])\+[^@]*@', '\1@'), -10), '.', '') || '@gmail.com'
    else regexp_replace(lower(email collate "C"), '([^@])\+[^@]*@', '\1@') end
$$;
