import { Type } from 'typebox';
import { ownerOf } from '../accounts/account.ts';
import type { TrackingSites } from '../accounts/tracking-sites.cache.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { sendJsonBytes } from '../http/send-bytes.ts';
import type { Clock } from '../lib/clock.ts';
import { limitLargePages, PAGE_WEIGHT } from '../load/pace-answers.hook.ts';
import { MAX_ORDERS } from './account-events.db.ts';
import { accountEventsPage } from './account-events-page.flow.ts';
import { MAX_POSITION_LETTERS } from './log-position.ts';
import { OrderEventSchema } from './webhook-schema.ts';

/** Pages of one account that wait. */
const MAX_WAITING = 20;

const schema = {
  operationId: 'listEvents',
  tags: ['Orders'],
  summary: 'The steps of all orders as they are taken',
  description: `The steps of the account's ${MAX_ORDERS.toLocaleString('en-US')} newest orders since an earlier answer, each as the body of the call that a webhook gets of it, and each in one answer exactly. Ask without \`after\` for the place to begin at: the present. For development and for small accounts; a webhook tells every step.`,
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: MAX_POSITION_LETTERS,
        description: 'The `next` of the answer before, as it is. Steps that were taken earlier are left out.',
      }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        events: Type.Array(OrderEventSchema),
        has_more: Type.Boolean({ description: 'Further steps wait: ask with `next` at once.' }),
        next: Type.String({ description: 'Where the next answer begins. Opaque; it may be kept for a day.' }),
        is_complete: Type.Boolean({
          description:
            'False where the account has more orders than are looked at: steps of older orders are left out.',
        }),
      },
      { description: 'Up to 20 steps, oldest first, and no further step after 2 MiB; none without `after`.' },
    ),
  },
};

type Needs = { db: Db; clock: Clock; trackingSites: Pick<TrackingSites, 'siteOf'> };

/** GET /account/events: the log of all orders of an account, read on and on (docs/behaviour.md#events, ADR 38). */
export function listAccountEventsRoute(http: Http, { db, clock, trackingSites }: Needs): void {
  const inTurn = limitLargePages('pages of events', MAX_WAITING);
  http.get('/account/events', { schema, config: { paceWeight: PAGE_WEIGHT } }, async (request, reply) => {
    const { query, caller } = request;
    const owner = ownerOf(caller);
    const page = await inTurn(request, owner, () => {
      const deps = { db, clock, site: trackingSites.siteOf(caller.accountId) };
      return accountEventsPage(deps, caller, query.after);
    });
    return sendJsonBytes(request, reply, [Buffer.from(page)]);
  });
}
