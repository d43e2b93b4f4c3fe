/** One-line faults of the service, each of which a case of the suite must notice. */

type Fault = {
  /** Below `src/`. */
  file: string;
  line: string;
  becomes: string;
  /** The beginning of the name of a case that fails. */
  fails: string;
};

const ROOM = 'surfaces/ucp';
const fault = (file: string, line: string, becomes: string, fails: string): Fault => ({
  file: `${ROOM}/${file}.ts`,
  line,
  becomes,
  fails,
});

const KEYS = 'a key replays its answer';
const PROVEN = 'only a platform that is bound';
const ENDED = 'a checkout that ended';
const LACKS = 'what a cart lacks';
const OPTIONS = 'a requested time gets';
const CREATED = 'a cart is created';
const UPDATED = 'an update replaces';

export const FAULTS: readonly Fault[] = [
  fault('answer-platform.hook', 'reply.code(409);', ';', KEYS),
  fault('operations.route', "isNeeded = idempotency === 'needed' || ", 'isNeeded = ', KEYS),
  {
    file: 'access/idempotency/idempotency.ts',
    line: 'MAX_REPLAY_HOURS = 48',
    becomes: 'MAX_REPLAY_HOURS = 24',
    fails: KEYS,
  },
  fault('message-signature', "'idempotency-key', 'signature-agent'", "'signature-agent'", PROVEN),
  fault('admit-platform.flow', 'if (platform && !isOther) {', 'if (platform) {', PROVEN),
  fault('admit-platform.flow', "keyRefusal(found, { scope: 'order' })", "keyRefusal(found, { scope: 'read' })", PROVEN),
  fault('profile.route', "'released', '/.well-known/ucp'", "'draft', '/.well-known/ucp'", 'the draft has a profile'),
  fault(
    'checkouts.db',
    '({ checkoutId, accountId, mode, ...present({ profileUrl }) })',
    '({ checkoutId, accountId, mode })',
    UPDATED,
  ),
  fault('change-checkout.flow', '?? storeId) !== storeId', "?? storeId) === ''", UPDATED),
  fault('change-checkout.flow', 'await endCheckoutLink(deps.db, order.orderId);', ';', ENDED),
  fault('checkout', "status === 'completed' || status === 'canceled'", "status === 'canceled'", ENDED),
  fault('checkout', 'LIFETIME_HOURS = 6', 'LIFETIME_HOURS = 12', 'a checkout expires'),
  fault('checkout', 'const isReceived = ', 'const isReceived = true || ', 'a live order is in progress'),
  fault('checkout', '({ isAlcoholic }) => isAlcoholic', '() => false', 'alcohol is for a person'),
  fault('checkout', "orders === 'place' && ", '', 'a platform that hands over'),
  fault('checkout', ' && isFulfillmentNegotiated;', ';', 'without the extensions'),
  fault('checkout-lines', 'quote.tipCents > 0 ?', 'quote.tipCents < 0 ?', 'tips are a share'),
  fault('checkout-lines', 'fees.length > 0 ? [feeTotal] : []', '[]', 'a dish has its modifications'),
  fault('checkout-lines', "presentation: 'disclosure', ", '', 'known allergens'),
  fault('checkout-lines', "...(notes === '' ? {} : { note: notes }),", '', CREATED),
  fault('checkout-request', "['sold_out', 'off_sale']", "['off_sale']", LACKS),
  fault('checkout-request', "'minimum_order_unmet', '$.totals'", "'minimum_order_unmet', '$.line_items'", LACKS),
  fault('checkout-request', "quoteError === 'OUT_OF_RANGE'", "quoteError === 'STORE_CLOSED'", LACKS),
  fault('checkout-request', "message.startsWith('is required')", "message === ''", LACKS),
  fault('checkout-request', '(one) === tip.', '(one) !== tip.', 'tips are a share'),
  fault('checkout-request', 'nameAddresses(body);', ';', 'the address may be named'),
  fault('price-checkout.flow', 'MAX_SLOTS = 6', 'MAX_SLOTS = 60', OPTIONS),
  fault('price-checkout.flow', '!isLater || chosen !== undefined', 'true', 'a time without a slot'),
  fault('price-checkout.flow', 'MAX_APART_METERS = 500', 'MAX_APART_METERS = 5000', LACKS),
  fault('price-checkout.flow', "if (mode === 'delivery' || cents === 0)", 'if (mode)', 'a pickup names'),
  fault(
    'price-checkout.flow',
    'if (unknown < 0) return undefined;',
    'if (unknown) return undefined;',
    'an unknown or unorderable',
  ),
  fault('present-checkout', "status === 'completed' ? {", "status === 'canceled' ? {", 'a ready checkout is completed'),
];
