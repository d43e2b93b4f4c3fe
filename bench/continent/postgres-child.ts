import { createServer } from 'node:http';
import pg from 'pg';

/**
 * A bare HTTP server that answers from PostgreSQL: one statement per search, and one database connection per client
 * connection.
 */
const [connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 8 });

const ANSWER = `select '[' || coalesce(string_agg(document, ','), '') || ']' as body from`;
const NEAR = 'order by at <-> st_point($1, $2)::geography limit 100';
/** The first statement's condition matches its partial index. */
const STATEMENTS = {
  filtered: `${ANSWER} (select document from bench_places where delivers and type = 'restaurant' and rating >= 4
    and st_dwithin(at, st_point($1, $2)::geography, 8046.72) ${NEAR}) found`,
  autocomplete: `${ANSWER} (select document from bench_places where words like '% ' || $3 || '%' ${NEAR}) found`,
  typo: `${ANSWER} (select document from bench_places where words % $3 ${NEAR}) found`,
  products: `${ANSWER} (select document
    from (select store, at <-> point($1, $2) as distance from bench_sellers order by distance limit 500) near
    join bench_products using (store), plainto_tsquery('english', $3) wanted
    where words @@ wanted order by ts_rank(words, wanted) desc, distance limit 50) found`,
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bench');
  const given = (name: string) => searchParams.get(name) ?? searchParams.get(`user_${name}`);
  const place = [given('longitude'), given('latitude')];
  const words = searchParams.get('query')?.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const withWords = searchParams.has('autocomplete') ? 'autocomplete' : 'typo';
  const name = words === undefined ? 'filtered' : pathname.includes('product') ? 'products' : withWords;
  const values = words === undefined ? place : [...place, words];
  try {
    const { rows } = await pool.query({ name, text: STATEMENTS[name], values });
    response.setHeader('content-type', 'application/json; charset=utf-8').end(rows[0].body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
});
