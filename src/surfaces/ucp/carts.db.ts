import { present } from 'doorstep/collections';
import { type ExpressionBuilder, sql as raw } from 'kysely';
import type { KeyMode } from '../../access/accounts/account.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { Database } from '../../platform/db/tables.ts';
import type { Retention } from '../../platform/jobs/delete-expired.db.ts';
import type { Context } from './catalog-request.ts';

/** A line as the platform requested it, and the price in cents that it was last shown with. */
export type WantedLine = { id: string; itemId: string; quantity: number; unitCents?: number };

/** A cart of a platform: of one store, reserving nothing. */
export type Cart = {
  cartId: string;
  accountId: string;
  mode: KeyMode;
  profileUrl: string;
  /** Whom it is for, if it was made with a token. */
  userId: string | null;
  storeId: string;
  /** That it became last. */
  checkoutId: string | null;
  content: {
    lines: readonly WantedLine[];
    context: Context;
    /** Of promotions, as they were sent. */
    codes?: readonly string[];
    /** It has ended, and is kept for its platform to ask for the response again. */
    isCanceled?: true;
  };
  changedAt: Temporal.Instant;
};

/** The platform whose carts are meant, and its customer; other platforms' carts do not exist for it. */
export type CartOwner = Pick<Cart, 'accountId' | 'mode'> & Partial<Pick<Cart, 'profileUrl' | 'userId'>>;

/** Whether a row is of no one, or of the user. */
export const isOfUser = (userId: string | null) => (row: ExpressionBuilder<Database, 'ucpCarts' | 'ucpCheckouts'>) =>
  row.or([row('userId', 'is', null), row('userId', '=', userId)]);

const isOpen = raw<boolean>`content->>'isCanceled' is null`;

const CART_HOURS = 24;
export const cartExpiresAt = ({ changedAt }: Pick<Cart, 'changedAt'>) => changedAt.add({ hours: CART_HOURS });

export async function findCart(
  sql: Sql,
  cartId: string,
  { accountId, mode, profileUrl, userId }: CartOwner,
  now: Temporal.Instant,
  { withCanceled = false } = {},
): Promise<Cart | undefined> {
  return sql
    .selectFrom('ucpCarts')
    .selectAll()
    .where((row) => row.and({ accountId, mode, cartId, ...present({ profileUrl }) }))
    .$if(userId !== undefined, (query) => query.where(isOfUser(userId ?? null)))
    .where('changedAt', '>', instantParam(now.subtract({ hours: CART_HOURS })))
    .$if(!withCanceled, (query) => query.where(isOpen))
    .executeTakeFirst();
}

const saved = ({ content, changedAt: at }: Cart) => ({ content: JSON.stringify(content), changedAt: at.toString() });

export async function insertCart(sql: Sql, cart: Cart): Promise<void> {
  const row = { ...cart, ...saved(cart) };
  await sql.insertInto('ucpCarts').values(row).execute();
}

/** Returns false if the cart has ended meanwhile. */
export async function changeCart(sql: Sql, cart: Cart): Promise<boolean> {
  const changing = sql.updateTable('ucpCarts').set(saved(cart)).where('cartId', '=', cart.cartId).where(isOpen);
  return (await changing.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Makes a checkout the cart's in place of the one read before; false if it has another by now. */
export async function convertCart(
  sql: Sql,
  { cartId, checkoutId: before }: Cart,
  checkoutId: string,
): Promise<boolean> {
  const converted = await sql
    .updateTable('ucpCarts')
    .set({ checkoutId })
    .where('cartId', '=', cartId)
    .where('checkoutId', 'is not distinct from', before)
    .where(isOpen)
    .returning('cartId')
    .executeTakeFirst();
  return converted !== undefined;
}

export const CARTS: Retention = { table: 'ucp_carts', age: 'changed_at', keepFor: { hours: CART_HOURS } };
