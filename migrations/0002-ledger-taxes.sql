-- The taxes of an entry by name, `[{ name, cents }]`, whose sum is taxes_cents; null in entries of earlier versions.
alter table ledger_entries add column tax_lines jsonb;
