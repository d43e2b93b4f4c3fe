import { createServer } from 'node:http';
import pg from 'pg';

/**
 * A bare HTTP server that answers from PostGIS: one statement per search, and one database connection per client
 * connection.
 */
const [connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 8 });

const ANSWER = `select '{"stores":[' || coalesce(string_agg(document, ','), '') || ']}' as body from`;
const NEAR = 'order by at <-> st_point($1, $2)::geography limit 100';
/** The first statement's condition matches its partial index. */
const STATEMENTS = {
  filtered: `${ANSWER} (select document from bench_places where delivers and type = 'restaurant' and rating >= 4
    and st_dwithin(at, st_point($1, $2)::geography, 8046.72) ${NEAR}) found`,
  autocomplete: `${ANSWER} (select document from bench_places where words like '% ' || $3 || '%' ${NEAR}) found`,
  typo: `${ANSWER} (select document from bench_places where words % $3 ${NEAR}) found`,
};

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://bench');
  const place = [searchParams.get('longitude'), searchParams.get('latitude')];
  const words = searchParams.get('query')?.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const name = words === undefined ? 'filtered' : searchParams.has('autocomplete') ? 'autocomplete' : 'typo';
  const values = words === undefined ? place : [...place, words];
  try {
    const { rows } = await pool.query({ name, text: STATEMENTS[name], values });
    response.setHeader('content-type', 'application/json; charset=utf-8').end(rows[0].body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
});
