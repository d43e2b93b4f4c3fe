/** One-line faults of the service, each of which a test of a shop must notice. */

type Fault = {
  /** Below `src/`. */
  file: string;
  line: string;
  becomes: string;
  /** The file of the test, in this folder. */
  suite: string;
  /** The beginning of the name of the test that fails. */
  fails: string;
};

const ROOM = 'surfaces/ucp';
const fault =
  (suite: string, fails: string) =>
  (file: string, line: string, becomes: string): Fault => ({
    file: file.includes('/') ? `${file}.ts` : `${ROOM}/${file}.ts`,
    line,
    becomes,
    suite: `${suite}.test.ts`,
    fails,
  });

const keys = fault('shop-protocol', 'a key that comes again');
const ended = fault('shop-protocol', 'ended objects read');
const summed = fault('shop-protocol', 'cart to order, all sums agree');
const proven = fault('shop-bound', 'only a platform that is bound');
const repeated = fault('shop-bound', 'answers to a platform are signed');
const lacks = fault('shop-bound', 'a checkout names what it lacks');
const over = fault('shop-bound', 'a canceled checkout has no page');
const placed = fault('shop-complete', 'a checkout that is ready');
const alcohol = fault('shop-complete', 'card numbers are rejected');
const foreign = fault('shop-checkout', 'completing changes nothing');
const gone = fault('shop-checkout', 'a window that is gone');

export const FAULTS: readonly Fault[] = [
  keys('answer-platform.hook', 'reply.code(409);', ';'),
  keys('operations.route', "isNeeded = idempotency === 'needed' || ", 'isNeeded = '),
  repeated('access/idempotency/idempotency', 'MAX_REPLAY_HOURS = 48', 'MAX_REPLAY_HOURS = 24'),
  proven('message-signature', "'idempotency-key', 'signature-agent'", "'signature-agent'"),
  proven('admit-platform.flow', 'if (!platform || isOther)', 'if (!platform)'),
  proven('admit-platform.flow', "keyRefusal(found, { scope: 'order' })", "keyRefusal(found, { scope: 'read' })"),
  proven('checkout', "orders === 'place' && ", ''),
  proven('checkout', ' && isFulfillmentNegotiated;', ';'),
  foreign(
    'checkouts.db',
    '({ checkoutId, accountId, mode, ...present({ profileUrl }) })',
    '({ checkoutId, accountId, mode })',
  ),
  over('change-checkout.flow', 'await endCheckoutLink(deps.db, order.orderId);', ';'),
  over('checkout', 'LIFETIME_HOURS = 6', 'LIFETIME_HOURS = 12'),
  ended('checkout', "status === 'completed' || status === 'canceled'", "status === 'canceled'"),
  alcohol('checkout', '({ isAlcoholic }) => isAlcoholic', '() => false'),
  summed('checkout-lines', 'fees.length > 0 ? [feeTotal] : []', '[]'),
  lacks('checkout-lines', "presentation: 'disclosure', ", ''),
  lacks('checkout-request', "'minimum_order_unmet', '$.totals'", "'minimum_order_unmet', '$.line_items'"),
  lacks('checkout-request', "quoteError === 'OUT_OF_RANGE'", "quoteError === 'STORE_CLOSED'"),
  lacks('checkout-request', "message.startsWith('is required')", "message === ''"),
  gone('checkout-request', "recoverable('slot_unavailable', path", "recoverable('location_closed', path"),
  placed('present-checkout', "order && status === 'completed' ? {", "order && status === 'canceled' ? {"),
];
