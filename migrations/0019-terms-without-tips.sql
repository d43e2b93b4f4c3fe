-- Runs in batches.
-- A tip is the driver's, in all terms. Ledgers that began before keep theirs.
update store_terms set tip = 'driver'
where ctid = any(array(select ctid from store_terms where tip <> 'driver' limit 1000));
