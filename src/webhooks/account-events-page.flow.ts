import type { Clock } from '../lib/clock.ts';
import { findNewEvents, takeSnapshot } from './account-events.db.ts';
import { EVENTS_PER_PAGE, type EventBodiesDeps, readEventBodies } from './event-bodies.flow.ts';
import { type LogPosition, readPosition, writePosition } from './log-position.ts';
import type { Owner } from './webhook.ts';

/** An event may wait for its dispatch, while no worker runs, for so long and is still told. */
const LATE_HOURS = 24;

type Deps = EventBodiesDeps & { clock: Clock };

/**
 * A page of the events of an account since a position, each as the body of its webhook call, as JSON. Without a position
 * the page is empty, and its `next` is the present. Refuses with invalid_request where the position is none.
 */
export async function accountEventsPage(deps: Deps, owner: Owner, after: string | undefined): Promise<string> {
  const position = after === undefined ? undefined : readPosition(after);
  const { snapshot, hasOlder } = await takeSnapshot(deps.db, owner);
  const nowMs = deps.clock.now().epochMilliseconds;
  const end = position?.look ?? { until: snapshot, untilMs: nowMs };
  const reached: LogPosition = { seen: end.until, seenMs: end.untilMs, look: null };
  if (!position || position.seen === end.until) return answerOf([], reached, hasOlder);
  const keys = await findNewEvents(deps.db, owner, {
    ...{ seen: position.seen, until: end.until, last: position.look?.last, limit: EVENTS_PER_PAGE + 1 },
    from: Temporal.Instant.fromEpochMilliseconds(position.seenMs).subtract({ hours: LATE_HOURS }),
  });
  const { bodies, shown } = await readEventBodies(deps, keys.slice(0, EVENTS_PER_PAGE));
  const last = keys[shown - 1];
  const isEnd = shown === keys.length || !last;
  const next = isEnd ? reached : { ...position, look: { until: end.until, untilMs: end.untilMs, last } };
  return answerOf(bodies, next, hasOlder);
}

function answerOf(bodies: readonly string[], next: LogPosition, hasOlder: boolean): string {
  const members = { has_more: next.look !== null, next: writePosition(next), is_complete: !hasOlder };
  return `{"events":[${bodies.join()}],${JSON.stringify(members).slice(1)}`;
}
