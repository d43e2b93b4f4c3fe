-- Whether owners of the stores that an account's shop names set the look of its pages.
alter table brandings add column owner_look boolean not null default false;
