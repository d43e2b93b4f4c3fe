import { present as members } from 'doorstep/collections';
import { type Static, type TSchema, Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { mayComplete } from '../../access/customers/agent-placing.ts';
import { listPaymentMethods } from '../../ordering/payments/payment-methods.db.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { READ_ONLY } from '../agents/tool.ts';
import { type Call, CHANGES, ENDS, idOf, type Operation, type Outcome } from './admit-platform.flow.ts';
import { type Cart, convertCart, findCart } from './carts.db.ts';
import { Context, METHODS, modesOf, namedIn, OPEN, readerOf, text } from './catalog-request.ts';
import {
  type CartDeps,
  type Carting,
  type CartLine,
  cartingOf,
  cartUrlOf,
  findStoreOfCart,
  keptCodes,
  type LineRequest,
  linesInWords,
  linesSchema,
  mergeLines,
  noneOf,
  orderedLines,
  presentLine,
  priceMessages,
  resolveLines,
  spokenIn,
} from './change-cart.flow.ts';
import {
  type CheckoutDeps,
  cancelCheckout,
  change,
  completeCheckout,
  insertPriced,
  readCheckout,
  saveAndShow,
  show,
  showBusy,
} from './change-checkout.flow.ts';
import { type CheckoutRequest, doesPlace, hasEnded, type ShopLine, type UcpCheckout } from './checkout.ts';
import { ADDRESS, methodOf, recoverable } from './checkout-request.ts';
import { findCheckout } from './checkouts.db.ts';
import { CHECKOUT_ANSWER, type Message } from './contract.ts';
import { Discounts } from './discounts.ts';
import type { ShownCheckout } from './present-checkout.ts';
import { type Platform, type Priced, platformOf, priceCheckout } from './price-checkout.flow.ts';
import { paymentHandlers, SHOP_CHECKOUT } from './profile.ts';
import { notFound, outcome } from './search-catalog.flow.ts';

/** Checkouts of a shop: priced as an unplaced order, and finished by a person at `continue_url`, or by the platform. */

export type ShopCheckoutDeps = CartDeps & CheckoutDeps;

const choice = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));
const some = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Array(schema, { maxItems: 10 }));
const Group = Type.Object({ selected_option_id: choice(512) }, OPEN);
const names = { first_name: text(100), last_name: text(100) };
const Destination = Type.Object(
  {
    id: text(64),
    type: text(64),
    street_address: text(200),
    extended_address: text(100),
    address_locality: text(100),
    address_region: text(100),
    postal_code: text(20),
    address_country: text(100),
    ...names,
    phone_number: text(40),
  },
  OPEN,
);
const Method = Type.Object(
  { type: text(64), destinations: some(Destination), selected_destination_id: choice(64), groups: some(Group) },
  OPEN,
);
const Buyer = Type.Object({ ...names, email: text(254), phone_number: text(40) }, OPEN);
const Body = Type.Object(
  {
    cart_id: text(64),
    line_items: Type.Optional(linesSchema()),
    context: Type.Optional(Context),
    buyer: Type.Optional(Buyer),
    fulfillment: Type.Optional(Type.Object({ methods: some(Method) }, OPEN)),
    discounts: Discounts,
  },
  OPEN,
);
type Body = Static<typeof Body>;
const readBody = readerOf(Body);

/** Marks the response for an existing checkout; not enumerable, so it is neither copied nor serialized. */
export const IS_KNOWN = Symbol('a checkout that was there already');

const at = (path: string) => ({
  paths: [`/checkout-sessions${path}`],
  capability: SHOP_CHECKOUT,
  output: CHECKOUT_ANSWER,
});
const id = Type.String({ maxLength: 64, description: "The checkout's ID." });
const WRITTEN = { bodyName: 'checkout', idempotency: 'optional', hints: CHANGES } as const;
const ENDED = { method: 'POST', idempotency: 'needed', hints: ENDS } as const;

export const CHECKOUT_OPERATIONS: readonly Operation<ShopCheckoutDeps>[] = [
  {
    ...at(''),
    ...WRITTEN,
    method: 'POST',
    tool: 'create_checkout',
    title: 'Create a checkout',
    description: 'Prices a cart, by cart_id or line_items, with its fees and with taxes once the destination is set.',
    creates: true,
    input: Type.Object({ checkout: Body }),
    run: createCheckout,
  },
  {
    ...at('/:id'),
    method: 'GET',
    tool: 'get_checkout',
    title: 'Read a checkout',
    description: 'Gets the current checkout.',
    hints: READ_ONLY,
    input: Type.Object({ id }),
    run: ofKnown(readCheckout),
  },
  {
    ...at('/:id'),
    ...WRITTEN,
    method: 'PUT',
    tool: 'update_checkout',
    title: 'Update a checkout',
    description: 'Replaces lines, buyer and fulfillment, and prices them again.',
    input: Type.Object({ id, checkout: Body }),
    run: ofKnown(updateCheckout),
  },
  {
    ...at('/:id/complete'),
    ...ENDED,
    tool: 'complete_checkout',
    title: 'Complete a checkout',
    description:
      'Places and charges an order that is ready_for_complete. Otherwise nothing changes: a person finishes it at continue_url.',
    bodyName: 'checkout',
    input: Type.Object({ id, checkout: Type.Object({}, { additionalProperties: true }) }),
    run: ofKnown(completeCheckout),
  },
  {
    ...at('/:id/cancel'),
    ...ENDED,
    tool: 'cancel_checkout',
    title: 'Cancel a checkout',
    description: 'Ends the checkout.',
    input: Type.Object({ id }),
    run: ofKnown(cancelCheckout),
  },
];

/** Saved cards that a customer's agent is shown, newest first. */
const MAX_CARDS = 10;

/** Who asks; with a token, its customer says what may be placed and which cards pay. */
async function loadPlatform({ db }: ShopCheckoutDeps, call: Call, carting: Carting): Promise<Platform> {
  const { hosted, caller } = carting;
  const { accountId, mode, keyId } = hosted.shop;
  const key = { accountId, mode, keyId: caller.keyId || keyId, scopes: ['read', 'order'] as const, origins: null };
  const platform = platformOf(call, { ...key, ...members({ visitor: caller.visitor }) });
  const { bearer } = platform;
  if (!bearer) return platform;
  const { userId, maxOrderCents, scopes } = bearer;
  const account = maxOrderCents === null ? undefined : await findAccount(db, accountId);
  const places = mayComplete({ scopes, maxOrderCents, agentOrders: account?.agentOrders ?? 'handover' });
  const cards = scopes.includes('checkout:manage') ? await listPaymentMethods(db, bearer, userId, MAX_CARDS) : [];
  return { ...platform, cards, orders: places ? 'place' : 'handover' };
}

type Input = { id: string; body: unknown };

const noLines = () => invalidRequest([{ in: 'body', name: 'line_items', message: 'must have a line' }]);

/** An operation on an existing checkout. */
function ofKnown(
  work: (deps: ShopCheckoutDeps, platform: Platform, input: Input, carting: Carting) => Promise<ShownCheckout>,
) {
  return async (deps: ShopCheckoutDeps, call: Call): Promise<object> => {
    const { owner, ...shopping } = cartingOf(call);
    const id = idOf(call);
    const known = await findCheckout(deps.db, id, owner);
    // One of food, which is withdrawn, has no lines of a shop.
    if (!known?.input.wanted) return notFound(shopping, localeOf(shopping.language, 'US').words.agent.cart.unknown);
    const spoken = spokenIn(call, known.input.language);
    const carting = cartingOf(spoken);
    const platform = await loadPlatform(deps, spoken, carting);
    const shown = await work(deps, platform, { id, body: call.body }, carting);
    return present(deps, carting, platform, { id, ...shown });
  };
}

function createCheckout(deps: ShopCheckoutDeps, call: Call): Promise<object> {
  cartingOf(call).caller.visitor?.count('carts');
  return makeCheckout(deps, call, readBody(call.body));
}

async function makeCheckout(deps: ShopCheckoutDeps, given: Call, body: Body): Promise<object> {
  const { owner, ...shopping } = cartingOf(given);
  const { cart_id: cartId } = body;
  const cart = cartId === undefined ? undefined : await findCart(deps.db, cartId, owner, deps.clock.now());
  const unknown = () => notFound(shopping, localeOf(shopping.language, 'US').words.agent.cart.unknown, '$.cart_id');
  if (cartId !== undefined && !cart) return unknown();
  const call = spokenIn(given, cart?.content.context.language, { wins: true });
  const carting = cartingOf(call);
  const platform = await loadPlatform(deps, call, carting);
  const locale = localeOf(carting.language, 'US');
  // The cart's codes precede the request's.
  if (cart?.content.codes) body.discounts = { codes: [...cart.content.codes] };
  // Converting a cart again returns its unfinished checkout; an ordered cart converts to none.
  const { accountId, mode } = owner;
  const before = cart?.checkoutId ? await findCheckout(deps.db, cart.checkoutId, { accountId, mode }) : undefined;
  const shown = before && (await show(deps, platform, before));
  if (before && shown && shown.status !== 'canceled') {
    const isTheirs = before.userId === null || before.userId === owner.userId;
    if (!isTheirs || shown.status === 'completed') return unknown();
    const answer = present(deps, carting, platform, { id: before.checkoutId, ...shown });
    return Object.defineProperty(answer, IS_KNOWN, { value: true });
  }
  const { lines, context } = wantedOf(cart, body);
  if (lines.length === 0) throw noLines();
  const snapshot = await findStoreOfCart(deps, carting, lines, context);
  if ('fault' in snapshot) return outcome(carting, { ...snapshot.fault, severity: 'unrecoverable' });
  const checkoutId = randomId('chk_', 18);
  const { storeId } = snapshot.store;
  const merged = await mergeLines(deps, carting, lines, cart?.content.lines ?? []);
  const asking = { carting, platform, body, given: lines };
  const made = { checkoutId, orderId: null, storeId, cartId: cart?.cartId };
  const priced = await price(deps, asking, made, merged);
  if ('refused' in priced) return priced.refused;
  const checkout = await deps.db.transaction().execute(async (tx) => {
    const isFirst = !cart || (await convertCart(tx, cart, checkoutId));
    return isFirst ? insertPriced(deps, platform, { checkoutId, storeId, ...priced }, tx) : undefined;
  });
  if (!checkout) return makeCheckout(deps, given, body);
  const more: Message[] =
    carting.hosted.isOwnHost && !platform.userId
      ? [{ type: 'info', code: 'identity_optional', content: locale.words.agent.checkout.signIn }]
      : [];
  return present(deps, carting, platform, { id: checkoutId, ...(await show(deps, platform, checkout, more)) });
}

/** A new checkout's lines and context: its cart's, otherwise the request's. */
function wantedOf(cart: Cart | undefined, body: Body): { lines: readonly LineRequest[]; context: Context } {
  if (!cart) return { lines: body.line_items ?? [], context: body.context ?? {} };
  const lines = cart.content.lines.map(({ id, itemId, quantity }) => ({ id, item: { id: itemId }, quantity }));
  return { lines, context: { location: cart.storeId } };
}

function updateCheckout(deps: ShopCheckoutDeps, platform: Platform, { id, body: sent }: Input, carting: Carting) {
  const body = readBody(sent);
  const { line_items: given = [] } = body;
  if (given.length === 0) throw noLines();
  const locale = localeOf(carting.language, 'US');
  return change(deps, platform, id, async ({ checkout, before }) => {
    if (before.status === 'complete_in_progress') return showBusy(deps, platform, checkout);
    const elsewhere = otherPickup(body, checkout, locale);
    if (elsewhere.length > 0) return show(deps, platform, checkout, elsewhere);
    const merged = await mergeLines(deps, carting, given, checkout.input.wanted);
    const asking = { carting, platform, body, given };
    const priced = await price(deps, asking, { ...checkout, cartId: checkout.input.cartId }, merged);
    if ('refused' in priced) return show(deps, platform, checkout, priced.refused.messages);
    const userId = checkout.userId ?? platform.userId;
    return saveAndShow(deps, platform, { ...checkout, ...priced, userId, changedAt: deps.clock.now() });
  });
}

type Asking = { carting: Carting; platform: Platform; body: Body; given: readonly LineRequest[] };

/** Prices lines as an order of the store; refuses a new checkout without an available line. */
async function price(
  deps: ShopCheckoutDeps,
  { carting, platform, body, given }: Asking,
  checkout: Pick<UcpCheckout, 'checkoutId' | 'orderId' | 'storeId'> &
    Partial<Pick<UcpCheckout, 'input'>> & { cartId: string | undefined },
  merged: Awaited<ReturnType<typeof mergeLines>>,
): Promise<Priced | { refused: Outcome }> {
  const { storeId } = checkout;
  const snapshot = await findStoreOfCart(deps, carting, [], { location: storeId });
  if ('fault' in snapshot) {
    const { path: _, ...fault } = snapshot.fault;
    return { refused: outcome(carting, { ...fault, severity: 'unrecoverable' }) };
  }
  const locale = localeOf(carting.language, snapshot.store.address.country);
  const resolved = await resolveLines(deps, carting, snapshot, merged.lines, locale);
  const lines = [...resolved.filter(({ fault }) => !fault), ...resolved.filter(({ fault }) => fault)];
  const isKept = checkout.input !== undefined && lines.length > 0;
  const none = isKept ? undefined : noneOf(deps, carting, storeId, { lines, given, merged, locale });
  if (none) return { refused: none };
  const input = {
    ...requestOf(deps, { ...body, ...members({ buyer: buyerOf(body, carting) }) }, lines, snapshot.store),
    ...members({ cartId: checkout.cartId }),
    ...keptCodes(carting, body.discounts),
    ...(platform.isProven ? { isProven: true } : {}),
    ...(platform.isLanguageGiven ? { language: platform.language } : {}),
    wanted: lines.map((line) => presentLine(line, snapshot.store.taxClass).line),
  };
  const products = lines.flatMap(({ loaded }) => loaded?.listed.product ?? []);
  const cart = { snapshot, products: new Map(products.map((product) => [sealProduct(deps.tokens, product), product])) };
  const priced = await priceCheckout(deps, input, { platform, cart, checkout, now: deps.clock.now() });
  const wanted = pricedLines(input.wanted, priced.shown);
  const messages = [
    ...merged.messagesAt(wanted, locale),
    ...linesInWords(lines, locale),
    ...priceMessages(lines, wanted, locale, input.wanted),
    ...otherPickup(body, checkout, locale),
    ...methodFaults(body, locale),
    ...placeMessages(priced.shown.messages, input, locale),
    ...(input.fulfillment?.methods?.[0]?.type === 'pickup'
      ? []
      : [{ type: 'info' as const, code: 'tip_later', content: locale.words.agent.checkout.tipLater }]),
  ];
  return { ...priced, input: { ...input, wanted }, shown: { ...priced.shown, messages } };
}

/** Lines at the prices of the chosen method. */
function pricedLines(lines: readonly ShopLine[], { lines: priced }: Pick<UcpCheckout['shown'], 'lines'>): ShopLine[] {
  return lines.map((line) => {
    const { totals, quantity } = priced.find(({ id }) => id === line.id) ?? {};
    const [subtotal] = line.amount ? [] : (totals ?? []);
    return subtotal && quantity ? { ...line, unitCents: Math.round(subtotal.amount / quantity) } : line;
  });
}

/** The buyer; name and verified contacts of a signed-in customer fill in missing fields. */
function buyerOf({ buyer }: Body, { customer }: Carting): Body['buyer'] {
  const sent = buyer && namedIn(Buyer, buyer);
  if (!customer) return sent;
  const { email, phone, firstName, lastName } = customer.bearer;
  const names = { first_name: firstName ?? undefined, last_name: lastName ?? undefined };
  const isNamed = buyer?.first_name !== undefined || buyer?.last_name !== undefined;
  const contacts = { email: email ?? undefined, phone_number: phone ?? undefined };
  return { ...members({ ...contacts, ...(!isNamed && names) }), ...sent };
}

/** A pickup elsewhere than at the store of the checkout. */
function otherPickup({ fulfillment }: Body, { storeId }: { storeId: string }, { words }: Locale): Message[] {
  const { type, selected_destination_id: chosen } = fulfillment?.methods?.[0] ?? {};
  if (type !== METHODS.pickup || !chosen || chosen === storeId) return [];
  const path = '$.fulfillment.methods[0].selected_destination_id';
  return [recoverable('location_not_found', path, words.agent.place.unknown)];
}

/** A second method, or an unknown one. */
function methodFaults({ fulfillment: { methods = [] } = {} }: Body, { words }: Locale): Message[] {
  const fault = (code: string, at: string) =>
    recoverable(code, `$.fulfillment.methods${at}`, words.agent.checkout.oneMethod);
  const [{ type } = {}, second] = methods;
  return [
    ...(type !== undefined && modesOf({ methods: [type] }).length === 0 ? [fault('invalid', '[0].type')] : []),
    ...(second ? [fault('multiple_methods_unsupported', '[1]')] : []),
  ];
}

/** For a delivery without an address, one message names the missing fields. */
function placeMessages(messages: readonly Message[], input: CheckoutRequest, { words }: Locale): Message[] {
  const hasPlace = methodOf(input)?.destination;
  const isOfPlace = ({ path = '' }: { path?: string }) => path.startsWith(ADDRESS);
  if (hasPlace || !messages.some(isOfPlace)) return [...messages];
  const missing = recoverable('missing', '$.fulfillment.methods[0].destinations', words.agent.checkout.where);
  return [missing, ...messages.filter((one) => !isOfPlace(one))];
}

/** The input of pricing: the products with their options, the buyer and the address. */
function requestOf(
  deps: ShopCheckoutDeps,
  { buyer, fulfillment }: Body,
  lines: readonly CartLine[],
  { delivery }: { delivery: { enabled: boolean } },
): Omit<CheckoutRequest, 'wanted'> {
  const [method = {}] = fulfillment?.methods ?? [];
  const isPickup = method.type === METHODS.pickup || (method.type !== METHODS.delivery && !delivery.enabled);
  const { destinations = [], selected_destination_id: chosen, groups = [] } = method;
  const [first, ...others] = destinations;
  const destination = destinations.find(({ id }) => id === chosen) ?? (chosen && others.length > 0 ? undefined : first);
  const { id: _id, type: _type, ...address } = namedIn(Destination, destination ?? {});
  const optionId = groups[0]?.selected_option_id ?? undefined;
  return {
    line_items: orderedLines(deps, lines),
    ...(buyer ? { buyer } : {}),
    fulfillment: {
      methods: [
        {
          type: isPickup ? 'pickup' : 'delivery',
          ...(destination && !isPickup ? { destination: { address } } : {}),
          ...(optionId === undefined ? {} : { selected_option_id: optionId }),
        },
      ],
    },
  };
}

/** The response for a checkout. If open, it leads to its order's page, otherwise to the shop with its lines. */
function present(
  deps: ShopCheckoutDeps,
  carting: Carting,
  platform: Platform,
  { id, status, body }: ShownCheckout & { id: string },
): object {
  const { envelope, siteUrl, handler } = carting;
  const handlers = doesPlace(platform) ? paymentHandlers(siteUrl, handler) : {};
  const isLinked = 'continue_url' in body || hasEnded(status) || status === 'complete_in_progress';
  return {
    ucp: { ...envelope, payment_handlers: handlers },
    ...body,
    ...(isLinked ? {} : { continue_url: cartUrlOf(deps, carting, id) }),
  };
}
