import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import type { Http } from '../http.ts';
import type { BufferPool } from '../lib/buffer-pool.ts';
import { Refusal } from '../lib/errors.ts';
import { sendJsonBytes } from '../lib/send-bytes.ts';
import { epochSeconds } from '../lib/time.ts';
import { findItemSellers } from './find-item-sellers.flow.ts';
import { wordsOf } from './search/normalise-text.ts';
import type { SearchIndex } from './search/search-index.ts';
import type { StorePage } from './search/store-query.ts';
import { projectionsOf, searchParameters, storeQueryOf } from './search-request.ts';
import { storeElement } from './store-element.ts';

const schema = {
  operationId: 'searchStores',
  tags: ['Stores'],
  summary: 'Find stores near a coordinate',
  querystring: searchParameters,
  response: {
    200: Type.Object(
      {
        stores: Type.Array(storeElement),
        next_page: Type.Integer({ description: 'Send it as `page` to get the following page.' }),
      },
      { description: 'A page of stores; past the last store it is empty.' },
    ),
  },
};

/** GET /search/store/v3. The answer is put together from bytes that the index keeps, in a buffer of the pool. */
export function searchRoute(http: Http, { clock, db, search, storeFeed }: Deps, buffers: BufferPool): void {
  http.get('/search/store/v3', { schema }, (request, reply) => {
    if (!storeFeed.isLoaded) throw notLoaded();
    const query = storeQueryOf(request.query);
    const projections = projectionsOf(request.query);
    const nowEpochS = epochSeconds(clock.now());
    const lend = (bytes: number) => lendBuffer(buffers, reply, bytes);
    const answer = (index: SearchIndex, page: StorePage) =>
      sendJsonBytes(request, reply, [index.writePage(page, nowEpochS, projections, lend)]);
    // No promise where there is nothing to wait for: it would cost a turn of the event loop.
    if (request.query.search_focus !== 'item' || wordsOf(query.text).length === 0) {
      answer(search.stores, search.stores.search(query, nowEpochS));
      return;
    }
    findItemSellers({ db, sellers: search.sellers }, query, nowEpochS)
      .then((page) => answer(search.sellers, page))
      .catch((error) => reply.send(error));
  });
}

/** Memory for one answer, given back when the system has sent it. */
function lendBuffer(buffers: BufferPool, reply: FastifyReply, bytes: number): Buffer {
  const buffer = buffers.take(bytes);
  reply.raw.once('finish', () => buffers.give(buffer));
  return buffer;
}

function notLoaded(): Refusal {
  return new Refusal('not_ready', 'The search index is loading.', { headers: { 'retry-after': '1' } });
}
