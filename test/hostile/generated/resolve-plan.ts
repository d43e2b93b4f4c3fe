import { givenJpeg } from '../../given/driver.ts';
import type { Arms } from './given-attack.ts';
import { ID_PATTERN } from './likely-values.ts';
import type { Actor, RequestPlan } from './request-plans.ts';

export type HostileRequest = {
  operation: string;
  actor: Actor;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
};

/** Maximum pool size: newer ids evict older ones, except the first orders of every state. */
const MAX_IDS = 60;
const FIRST_ORDERS = 10;
const LIVE_ACTORS: readonly Actor[] = ['live', 'store_live', 'console'];
const ID_IN_ANSWER = /"(order_id|product_id|subcategory_id|payment_method_id)":"([\w-]{8,400})"/g;
const IDS_READ_IN = 20_000;

/** Resolves `~order_id~` placeholders to pool ids, and adds the actor's credentials. */
export function resolvePlan(plan: RequestPlan, arms: Arms): HostileRequest {
  let nth = 0;
  const resolve = (text: string) =>
    text.replace(ID_PATTERN, (_all, whose: string | undefined, pool: string) => {
      nth += 1;
      return idOf(arms, whose, poolFor(arms, plan.actor, pool), plan.pick + nth * 7919);
    });
  const isForeign = plan.actor === 'operator' || plan.actor === 'nobody';
  // Operators may change every account, and an order link belongs to its customer, so neither gets another account's
  // ids.
  const own = (text: string) => (isForeign ? text.replaceAll('~other.', '~bent.') : text);
  const body =
    plan.body === '~photo~'
      ? givenJpeg()
      : plan.body === undefined
        ? undefined
        : bytesOf(plan, resolve(own(plan.body)));
  return {
    operation: plan.operation,
    actor: plan.actor,
    method: plan.method,
    url: resolve(own(plan.url)),
    headers: { ...arms.actors[plan.actor], ...Object.fromEntries(plan.headers) },
    body,
  };
}

function bytesOf({ headers }: RequestPlan, text: string): Buffer {
  const isPhoto = headers.some(([name, value]) => name === 'content-type' && value === 'image/jpeg');
  return Buffer.from(text, isPhoto ? 'latin1' : 'utf8');
}

/** Live orders and cards have their own pools. */
function poolFor({ pools }: Arms, actor: Actor, pool: string): string {
  const live = `live_${pool}`;
  return LIVE_ACTORS.includes(actor) && pools[live] !== undefined ? live : pool;
}

function idOf({ pools, others }: Arms, whose: string | undefined, pool: string, pick: number): string {
  const ids = (whose === 'other' ? others[pool.replace(/^live_/, '')] : pools[pool]) ?? [];
  const id = ids[pick % Math.max(1, ids.length)] ?? 'none';
  return whose === 'bent' ? bend(id, pick) : id;
}

/** Alters an id: one other character, truncated, doubled, or another case. */
function bend(id: string, pick: number): string {
  const at = pick % Math.max(1, id.length);
  const ways = [
    `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`,
    id.slice(0, at),
    id + id,
    id.toUpperCase(),
  ];
  return ways[pick % ways.length] ?? id;
}

/** New ids replace older ones, so that later requests use them. */
export function learnIds(arms: Arms, { operation, actor }: HostileRequest, status: number, text: string): void {
  if (status !== 200 || !/^(POST \/order|POST \/payment\/create|GET \/details\/inventory)/.test(operation)) return;
  for (const [, name = '', id = ''] of text.slice(0, IDS_READ_IN).matchAll(ID_IN_ANSWER)) {
    const pool = arms.pools[poolFor(arms, actor, name)] ?? [];
    if (pool.includes(id)) continue;
    pool.push(id);
    if (pool.length > MAX_IDS) pool.splice(name === 'order_id' ? FIRST_ORDERS : 0, 1);
  }
}
