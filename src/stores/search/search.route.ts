import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { ownerOf, sandboxOf } from '../../accounts/account.ts';
import type { Db } from '../../db/connect.ts';
import type { BufferPool } from '../../http/buffer-pool.ts';
import type { Http } from '../../http/http.ts';
import { Refusal } from '../../http/refusal.ts';
import { HOT_READ } from '../../http/security-headers.ts';
import { sendJsonBytes } from '../../http/send-bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FairTurns } from '../../lib/fair-turns.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { epochSeconds } from '../../lib/time.ts';
import { ProjectedStoreSchema } from '../store-element.ts';
import type { StoreFeed } from '../store-feed.cache.ts';
import { findItemSellers } from './find-item-sellers.flow.ts';
import { projectionsOf, searchParameters, storeQueryOf } from './search-request.ts';
import type { StoreIndex } from './store.index.ts';
import type { StorePage } from './store-query.ts';
import type { StoreSearch } from './store-search.index.ts';

const schema = {
  operationId: 'searchStores',
  tags: ['Stores'],
  summary: 'Find stores near a coordinate',
  querystring: searchParameters,
  response: {
    200: Type.Object(
      {
        stores: Type.Array(ProjectedStoreSchema),
        next_page: Type.Integer({ description: 'Send it as `page` to get the following page.' }),
      },
      { description: 'A page of stores; past the last store it is empty.' },
    ),
  },
};

/** GET /search/store/v3: joins the stored documents of a page in a buffer of the pool. */
export function searchRoute(
  http: Http,
  {
    clock,
    db,
    search,
    storeFeed,
    turns,
  }: { clock: Clock; db: Db; search: StoreSearch; storeFeed: StoreFeed; turns: FairTurns },
  buffers: BufferPool,
): void {
  http.get('/search/store/v3', { schema, ...HOT_READ }, (request, reply) => {
    if (!storeFeed.isLoaded) throw notLoaded();
    const query = storeQueryOf(request.query, sandboxOf(request.caller));
    const projections = projectionsOf(request.query);
    const nowEpochS = epochSeconds(clock.now());
    const lend = (bytes: number) => lendBuffer(buffers, reply, bytes);
    const answer = (index: StoreIndex, page: StorePage) =>
      sendJsonBytes(request, reply, [index.writePage(page, nowEpochS, projections, lend)]);
    // A search in memory answers without a promise, which would cost a turn of the event loop.
    if (request.query.search_focus !== 'item' || wordsOf(query.text).length === 0) {
      const { stores } = search;
      const answerNow = () => void answer(stores, stores.search(query, nowEpochS));
      if (stores.isPageNear(query, nowEpochS)) answerNow();
      else {
        const slice = turns.sliceOf(ownerOf(request.caller));
        slice
          .run(stores.findPage(query, nowEpochS))
          .then(answerNow)
          .catch((error) => reply.send(error));
      }
      return;
    }
    findItemSellers({ db, sellers: search.sellers }, query, nowEpochS)
      .then((page) => answer(search.sellers, page))
      .catch((error) => reply.send(error));
  });
}

/** Memory for one answer; the pool gets it back when the answer is sent. */
function lendBuffer(buffers: BufferPool, reply: FastifyReply, bytes: number): Buffer {
  const buffer = buffers.take(bytes);
  reply.raw.once('finish', () => buffers.give(buffer));
  return buffer;
}

function notLoaded(): Refusal {
  return new Refusal('not_ready', 'The search index is loading.', { headers: { 'retry-after': '1' } });
}
