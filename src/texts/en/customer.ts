import { sentence } from '../../platform/languages/grammar.ts';
import { dropOff } from './drop-off.ts';
import { estimate } from './estimate.ts';
import { taxName } from './tax-name.ts';

/** The card that paid an order; `brand` is undefined if the gateway reports none. */
export type PaidCard = { brand: string | undefined; last4: string };

const cardName = ({ brand = 'card', last4 }: PaidCard) => `${brand} ending in ${last4}`;
const yourCard = (card: PaidCard | undefined) => (card ? `your ${cardName(card)}` : 'the card you paid with');

/** Texts for customers: order pages, receipts, mail, SMS. `you` is the customer, `we` the brand. */
export const customer = {
  dropOff,
  /** Texts around every page. */
  /** At an address that does not exist. */
  lost: { title: 'Page not found', detail: 'The address may be mistyped or out of date.', back: 'Go to the start' },
  page: {
    skip: 'Skip to main content',
    description: 'See where your order is and when it will arrive.',
    testOrder: 'Test order: nothing will be made or delivered.',
    language: 'Language',
    orderId: ({ id }: { id: string }) => `Order ${id}`,
    orderNumber: ({ number }: { number: string }) => `Order ${number}`,
    needHelp: 'Need help?',
    getHelp: 'Get help',
  },
  /** The page's headline for a waiting customer, and the sentence below it. */
  headline: {
    notPlaced: 'Not placed yet',
    notPlacedDetail: 'You can track this order here as soon as it’s placed.',
    scheduled: ({ time }: { time: string }) => `Scheduled for ${time}`,
    placed: 'We got your order',
    waiting: ({ store }: { store: string }) => `Waiting for ${store} to confirm`,
    sending: ({ store }: { store: string }) => `Sending your order to ${store}`,
    storeGetsItBy: ({ store, time }: { store: string; time: string }) => sentence(`${store} will get it by ${time}`),
    storeHasIt: ({ store }: { store: string }) => `${store} has your order.`,
    storeLacksIt: ({ store }: { store: string }) => `${store} doesn’t have it yet.`,
    cancelsAt: ({ time }: { time: string }) => `If they don’t confirm by ${time}, we’ll cancel it.`,
    cancelsAndRefundsAt: ({ time }: { time: string }) =>
      `If they don’t confirm by ${time}, we’ll cancel it and refund you in full.`,
    canceled: 'Your order was canceled',
    refundedInFull: ({ amount }: { amount: string }) => `We’ve refunded the full ${amount} to your card.`,
    refunded: ({ amount }: { amount: string }) => `We’ve refunded ${amount} to your card.`,
    refunding: ({ amount }: { amount: string }) => `We’re refunding ${amount} to your card.`,
    notCharged: 'Your card wasn’t charged.',
    pickedUp: 'Picked up',
    pickedUpDetail: 'Thanks, and enjoy!',
    delivered: 'Delivered',
    deliveredDetail: 'Your order is here. Enjoy!',
    pickedUpRefund: ({ amount }: { amount: string }) => `Picked up, with a ${amount} refund`,
    deliveredRefund: ({ amount }: { amount: string }) => `Delivered, with a ${amount} refund`,
    preparing: 'Your order is being prepared',
    confirmed: ({ store }: { store: string }) => `${store} confirmed your order.`,
    startsAround: ({ store, time }: { store: string; time: string }) => sentence(`${store} will start around ${time}`),
    readyForPickup: 'Ready for pickup',
    pickUpAt: ({ store }: { store: string }) => `Pick it up at ${store}.`,
    pickUpAs: ({ store, name }: { store: string; name: string }) =>
      `Pick it up at ${store}. It’s under the name ${name}.`,
    ready: 'Your order is ready',
    driverSoon: 'A driver will pick it up soon.',
    driverToStore: ({ driver = 'Your driver', store }: { driver: string | undefined; store: string }) =>
      `${driver} is heading to ${store} to pick it up.`,
    onTheWay: ({ driver = 'Your driver' }: { driver: string | undefined }) => `${driver} is on the way`,
    hasLeft: ({ store }: { store: string }) => `Your order has left ${store}.`,
    almostThere: ({ driver = 'Your driver' }: { driver: string | undefined }) => `${driver} is almost there`,
    meetDriver: 'Please meet your driver at the door.',
  },
  /** Next to the minutes until arrival. */
  eta: {
    arrivesBetween: ({ time }: { time: string }) => `Arrives ${time}`,
    arrivesAround: ({ time }: { time: string }) => `Arrives around ${time}`,
    readyBetween: ({ time }: { time: string }) => `Ready ${time}`,
    readyAround: ({ time }: { time: string }) => `Ready around ${time}`,
    /** Preparation takes longer than the store expected. */
    lateAround: ({ time }: { time: string }) => `Running late. Now expected around ${time}`,
    /** The time has passed. */
    wasExpected: ({ time }: { time: string }) => `Expected around ${time}`,
  },
  steps: {
    title: 'Progress',
    /** Spoken before a completed step by screen readers. */
    done: 'Done:',
    current: 'Now:',
    next: 'Next:',
    placed: 'Order placed',
    confirmed: ({ store }: { store: string }) => `Confirmed by ${store}`,
    scheduled: ({ time }: { time: string }) => `Scheduled for ${time}`,
    preparing: 'Preparing',
    ready: 'Ready',
    readyForPickup: 'Ready for pickup',
    onTheWay: 'On the way',
    pickedUp: 'Picked up',
    delivered: 'Delivered',
    canceled: 'Canceled',
    refunded: 'Refunded',
  },
  /** In place of the map while a delivery has no driver. */
  kitchen: {
    waitingForDriver: 'Waiting for a driver',
    followOnMap: 'Once it’s picked up, you can follow it here on a map.',
    startsAround: ({ store, time }: { store: string; time: string }) => `${store} will start around ${time}`,
    notStarted: 'Not started yet',
    startsOnceConfirmed: ({ store }: { store: string }) => `${store} will start once they confirm your order.`,
    readyAnyMinute: 'Ready any minute now',
    driverNext: 'Then a driver will bring it to you, and you can follow along here.',
  },
  driver: {
    where: 'Where your driver is',
    unnamed: 'Your driver',
    rated: ({ rating }: { rating: string }) => `Rated ${rating} out of 5`,
    call: 'Call',
    callNamed: ({ name, phone }: { name: string; phone: string }) => `Call ${name}, ${phone}`,
    whatNext: 'What’s next',
    toStore: ({ driver = 'Your driver', store }: { driver: string | undefined; store: string }) =>
      `${driver} is on the way to ${store}.`,
    away: ({ driver = 'Your driver', distance }: { driver: string | undefined; distance: string }) =>
      `${driver} is about ${distance} away.`,
    /** Labels of the pins on the sketch; one word each. */
    pinStore: 'Store',
    pinYou: 'You',
    pinDriver: 'Driver',
  },
  /** Vehicles, by the courier's word. */
  vehicle: {
    car: 'Car',
    bicycle: 'Bicycle',
    bike: 'Bike',
    motorcycle: 'Motorcycle',
    scooter: 'Scooter',
    van: 'Van',
    truck: 'Truck',
    walking: 'On foot',
  },
  /** Taken at the door of a delivery. */
  photo: { alt: 'Delivery photo', view: 'View delivery photo' },
  places: {
    delivery: 'Delivery',
    pickup: 'Pickup',
    scheduledFor: 'Scheduled for',
    deliveringTo: 'Delivering to',
    name: 'Name',
    textingTo: 'Texting updates to',
    directions: 'Directions',
    directionsTo: ({ store }: { store: string }) => `Directions to ${store}`,
  },
  /** A scheduled order in the customer’s calendar. */
  calendar: {
    add: 'Add to calendar',
    delivery: ({ store }: { store: string }) => `Delivery from ${store}`,
    pickup: ({ store }: { store: string }) => `Pickup at ${store}`,
    track: ({ link }: { link: string }) => `Track your order: ${link}`,
  },
  actions: {
    title: 'What you can do',
    checkout: 'Go to checkout',
    orderAgain: 'Order again',
    cancel: 'Cancel order',
    receipt: 'View receipt',
    back: 'Back to your order',
  },
  share: {
    open: 'Share tracking link',
    link: 'Tracking link',
    hint: 'Anyone with this link can follow your order, but can’t change it.',
  },
  /** After a delivery. */
  tip: {
    title: 'Add a tip for your driver',
    before: ({ amount }: { amount: string }) => `You’ve already tipped ${amount}. This adds to it.`,
    confirm: ({ amount }: { amount: string }) => `Add a ${amount} tip?`,
    charge: ({ amount }: { amount: string }) => `We’ll charge ${amount} to the card you paid with.`,
    whole: ({ amount }: { amount: string }) => `Your tip will be ${amount} in all.`,
    pay: ({ amount }: { amount: string }) => `Add ${amount} tip`,
    other: 'Choose another amount',
    thanks: ({ amount }: { amount: string }) => `Thanks! You tipped ${amount}.`,
    cannot: 'You can’t add a tip to this order',
    when: 'You can add a tip to a delivery for 24 hours after it arrives.',
    openYourLink: 'To add a tip, open the link in your confirmation email or text message.',
    notAdded: 'Your tip wasn’t added',
    declined: 'Your card was declined. You haven’t been charged.',
    insufficientFunds: 'Your card has insufficient funds. You haven’t been charged.',
    expired: 'Your card has expired. You haven’t been charged.',
    needsApproval:
      'Your bank wants you to approve this payment, and that isn’t possible after delivery. You haven’t been charged.',
    busy: 'We’re already adding a tip to this order. Try again in a moment. You won’t be charged twice.',
    cardGone: 'The card you paid with is no longer on file. You haven’t been charged.',
    higher: 'You’ve already tipped more than that.',
  },
  /** A message of the customer to the account. */
  notes: {
    link: 'Change notes',
    title: 'Change your notes',
    leadDelivery:
      'You can change these until the driver picks up your order. To change the address, cancel and order again.',
    leadPickup: 'You can change these until your order is ready.',
    apt: 'Apartment, suite, or floor',
    forDriver: 'Notes for the driver',
    forStore: 'Special instructions',
    save: 'Save',
    tooLong: ({ max }: { max: string }) => `Use ${max} characters or fewer.`,
    cannot: 'Your notes can’t be changed now',
    tooLate:
      'Your order is on its way, ready, or finished, or you’ve changed it too many times. Call the store instead.',
    openYourLink: 'To change your notes, open the link in your confirmation email or text message.',
  },
  problem: {
    link: 'Something wrong with your order?',
    title: 'What’s wrong with your order?',
    lead: ({ brand }: { brand: string }) => `Your message goes to ${brand}, along with your order.`,
    reason: 'What happened?',
    choose: 'Choose one',
    text: 'Details',
    textHint: ({ max }: { max: string }) => `Up to ${max} characters.`,
    send: 'Send',
    noReason: 'Choose what happened.',
    noText: 'Tell us what happened.',
    sent: 'Thanks for letting us know',
    sentDetail: ({ brand }: { brand: string }) => `Your message is on its way to ${brand}. They’ll get back to you.`,
    tooMany: ({ email }: { email: string }) =>
      `You’ve already sent several messages about this order. To add something, write to ${email}.`,
    notSent: 'Your message wasn’t sent',
    cannot: 'You can’t report a problem here',
    openYourLink: 'To report a problem, open the link in your confirmation email or text message.',
    /** By their code. */
    reasons: {
      missing_item: 'Something is missing',
      wrong_item: 'I got the wrong item',
      quality: 'Quality or temperature',
      late: 'It’s late or never arrived',
      payment: 'I was charged the wrong amount',
      other: 'Something else',
    },
  },
  cancel: {
    title: 'Cancel this order?',
    what: ({ store }: { store: string }) => `This cancels your order from ${store}.`,
    whatNumbered: ({ number, store }: { number: string; store: string }) =>
      `This cancels your order ${number} from ${store}.`,
    refund: ({ amount }: { amount: string }) => `We’ll refund ${amount} to your card.`,
    final: 'You can’t undo this.',
    keep: 'Keep my order',
    cannot: 'You can’t cancel this order here',
    openYourLink: 'To cancel it, open the link in your confirmation email or text message.',
  },
  missing: {
    title: 'Order not found',
    headline: 'We can’t find that order',
    detail: 'The link may be incomplete or out of date.',
    openAgain:
      'Open the link directly from your email or text message. Some apps cut off long links when you copy them.',
    newest: 'If you changed your order before you paid, use the newest link.',
    ask: 'Still no luck? Contact the place where you ordered. They can look up your order by your name and phone number.',
  },
  front: {
    title: 'Track your order',
    detail: ({ brand }: { brand: string }) => `Open the link in the message ${brand} sent you when you ordered.`,
  },
  /** The receipt on the page, in email and on paper. */
  receipt: {
    title: 'Receipt',
    titleNumbered: ({ number }: { number: string }) => `Receipt ${number}`,
    taxIds: 'Tax registration',
    from: ({ store }: { store: string }) => `Your order from ${store}`,
    fromNumbered: ({ number, store }: { number: string; store: string }) => `Order ${number} from ${store}`,
    placed: ({ time }: { time: string }) => `Placed ${time}`,
    yourOrder: 'Your order',
    amounts: 'Order total',
    subtotal: 'Subtotal',
    deliveryFee: 'Delivery fee',
    serviceFee: 'Service fee',
    smallOrderFee: 'Small order fee',
    additionalFee: 'Additional fee',
    taxes: 'Taxes',
    tax: ({ name, percent }: { name: string; percent: string }) => `${name} (${percent})`,
    tip: 'Tip',
    total: ({ currency }: { currency: string }) => `Total (${currency})`,
    missingItems: 'Missing items',
    refunded: 'Refunded',
    refundPending: 'Refund on the way',
    refundFor: ({ what }: { what: string }) => `Refund: ${what}`,
    refundMissingItems: 'Refund: missing items',
    totalAfterRefunds: 'Total after refunds',
    each: ({ price }: { price: string }) => `${price} each`,
    note: ({ note }: { note: string }) => `Note: ${note}`,
    unnamedItem: 'Item',
    paidByCard: 'Paid by card',
    paidInCash: 'Paid in cash',
    payInCash: 'To pay in cash',
    paidAtHandover: 'Paid when you got it',
    payAtHandover: 'To pay when you get it',
    pricesOnPage: 'See your order page for prices.',
    thanks: 'Thank you for your order!',
    thanksNamed: ({ name }: { name: string }) => `Thank you for your order, ${name}!`,
    orderedWith: ({ brand }: { brand: string }) => `Ordered with ${brand}`,
    /** `2 x Soda`, in a list of refunded items. */
    units: ({ quantity, name }: { quantity: number; name: string }) => `${quantity} x ${name}`,
  },
  /** Goods by weight. */
  weight: {
    pieces: ({ count, weight }: { count: string; weight: string }) => `${count} (about ${weight})`,
    price: ({ price, per }: { price: string; per: string }) => `${price}/${per}`,
    total: ({ currency }: { currency: string }) => `Estimated total (${currency})`,
    ...estimate,
    settled: ({ amount, limit }: { amount: string; limit: string }) =>
      `Estimated ${amount}, up to ${limit}. This is the price after weighing.`,
  },
  /** Taxes by their names in feeds, of Canada in either language, and of the built-in table. */
  taxName,
  /** The store's change to an item that it lacks. */
  itemChange: {
    unavailable: 'Not available',
    fewer: ({ quantity, ordered }: { quantity: string; ordered: string }) => `Only ${quantity} of ${ordered} available`,
    replaced: ({ quantity, name }: { quantity: string; name: string }) => `Replaced with ${quantity} × ${name}`,
    replacedByFewer: ({ quantity, name, missing }: { quantity: string; name: string; missing: string }) =>
      `Replaced with ${quantity} × ${name}, ${missing} fewer than you ordered`,
    replacedByWeight: ({ name, weight }: { name: string; weight: string }) => `Replaced with ${name}, ${weight}`,
    weighed: ({ ordered, weight }: { ordered: string; weight: string }) => `Ordered ${ordered}, weighed ${weight}`,
    atLimit: ({ ordered, weight }: { ordered: string; weight: string }) =>
      `Ordered ${ordered}, weighed more; you pay for ${weight}`,
  },
  cancelReason: {
    canceled_by_store: 'The store canceled it.',
    store_did_not_confirm: 'The store didn’t confirm it in time.',
    not_placed_in_time: 'Your payment took too long, so we didn’t send it to the store.',
    payment_failed: 'Your card could not hold the payment, so the order was canceled.',
    out_of_stock: 'The store ran out of something you ordered.',
    item_unavailable: 'The store ran out of something you ordered.',
    store_closed: 'The store is closed.',
    closed: 'The store is closed.',
    too_busy: 'The store is too busy right now.',
    no_driver: 'No driver was available.',
    courier_gave_up: 'Your driver couldn’t deliver it.',
    customer_request: 'You asked to cancel it.',
    canceled_by_account: 'Customer support canceled it.',
    canceled_by_customer: 'You canceled it.',
  },
  mail: {
    track: 'Track your order',
    view: 'View your order',
    arrivesBy: 'Arrives by',
    readyBy: 'Ready by',
    arrives: 'Arrives',
    delivered: 'Delivered',
    store: 'Store',
    order: 'Order',
    orderedWith: 'Ordered with',
    deliverTo: 'Deliver to',
    instructions: 'Instructions',
    held: 'Held on your card',
    willHold: 'Will be held on your card',
    declined: {
      subject: ({ store }: { store: string }) => `Your card for ${store} was declined`,
      headline: 'Your card was declined',
      lead: ({ store, amount, time }: { store: string; amount: string; time: string }) =>
        `${sentence(`Your card didn’t let us hold ${amount} for your order from ${store}. Use another card, or approve the payment at your bank, by ${time}`)} Otherwise your order is canceled, and nothing is charged.`,
    },
    weighed: {
      subject: ({ store }: { store: string }) => `Your final receipt from ${store}`,
      headline: ({ amount }: { amount: string }) => `Your order came to ${amount}`,
      lead: ({ store, estimate, amount }: { store: string; estimate: string; amount: string }) =>
        `${store} weighed your order. It was estimated at ${estimate} and came to ${amount}.`,
      released: 'What’s left of the hold is released.',
      estimated: 'Estimated',
    },
    paid: 'Paid',
    paidWith: ({ amount, card }: { amount: string; card: PaidCard }) =>
      `${amount} with ${cardName({ ...card, brand: card.brand ?? 'a card' })}`,
    refund: 'Refund',
    orderTotal: 'Order total',
    reason: 'Reason',
    sentAgain: ({ subject }: { subject: string }) => `Sent again: ${subject}`,
    received: {
      subject: ({ store }: { store: string }) => `Your order from ${store}`,
      headline: 'Thanks for your order!',
      headlineNamed: ({ name }: { name: string }) => `Thanks for your order, ${name}!`,
      passingOn: ({ store }: { store: string }) => `We’re sending it to ${store} now.`,
      later: ({ store }: { store: string }) => `${store} will get it in time for the slot you chose.`,
      follow: 'Follow it every step of the way below.',
    },
    onItsWay: {
      subject: ({ store }: { store: string }) => `Your order from ${store} is on the way`,
      headline: 'Your order is on the way',
      lead: ({ driver = 'Your driver' }: { driver: string | undefined }) =>
        `${driver} picked up your order and is heading to you. Follow along below.`,
    },
    arrived: {
      subject: ({ store }: { store: string }) => `Your order from ${store} was delivered`,
      headline: 'Your order was delivered',
      lead: 'Enjoy! Your receipt is one tap away.',
    },
    canceled: {
      subject: ({ store }: { store: string }) => `Your order from ${store} was canceled`,
      headline: 'Your order was canceled',
      lead: ({ store }: { store: string }) => `We’re sorry, your order from ${store} was canceled.`,
      refundInFull: ({ amount, card }: { amount: string; card: PaidCard | undefined }) =>
        `We’re refunding the full ${amount} to ${yourCard(card)}.`,
      refundRest: ({ amount, card }: { amount: string; card: PaidCard | undefined }) =>
        `We’re refunding the remaining ${amount} to ${yourCard(card)}.`,
      notCharged: 'You weren’t charged, so there’s nothing to refund.',
    },
    changed: {
      subject: ({ store }: { store: string }) => `Your order from ${store} changed`,
      headline: 'Your order changed',
      lead: ({ store }: { store: string }) => `${store} doesn’t have everything you ordered.`,
      refund: ({ amount, card }: { amount: string; card: PaidCard | undefined }) =>
        `We’re refunding ${amount} to ${yourCard(card)}.`,
      sameCost: 'It won’t cost you anything extra.',
      refundedBefore: 'We already refunded the difference.',
      payLess: ({ amount }: { amount: string }) => `You’ll pay ${amount} instead.`,
    },
    refunded: {
      subject: ({ store }: { store: string }) => `A refund for your order from ${store}`,
      headline: ({ amount }: { amount: string }) => `We’re refunding you ${amount}`,
      lead: ({ amount, store, card }: { amount: string; store: string; card: PaidCard | undefined }) =>
        `We’re refunding ${amount} to ${yourCard(card)} for your order from ${store}.`,
      leadItems: ({
        amount,
        store,
        card,
        items,
      }: {
        amount: string;
        store: string;
        card: PaidCard | undefined;
        items: string;
      }) => `We’re refunding ${amount} to ${yourCard(card)} for these items in your order from ${store}: ${items}.`,
    },
    /** To the account, in its language. */
    problem: {
      subject: ({ number, reason }: { number: string; reason: string }) => `Problem with order ${number}: ${reason}`,
      headline: ({ number }: { number: string }) => `A customer reported a problem with order ${number}`,
      customer: 'Customer',
      view: 'View the order',
      reply: 'Reply to this email to answer the customer.',
    },
    handedBack: ({ amount, store }: { amount: string; store: string }) => `${store} will refund you ${amount}.`,
    whenShown: 'Most banks post refunds within 5 to 10 days.',
    paidElsewhere: ({ brand }: { brand: string }) =>
      `We didn’t charge a card for this order: ${brand} arranged the payment.`,
    questions: ({ store, phone }: { store: string; phone: string }) =>
      `Questions about your order? Call ${store} at ${phone}.`,
    why: ({ brand }: { brand: string }) =>
      `${brand} sent you this email because the order was placed with your email address.`,
  },
  /** Appended to the account's name and a colon. Only letters of the GSM alphabet. */
  sms: {
    payHere: ({ store, link }: { store: string; link: string }) => `${store}: Pay for your order here: ${link}`,
    received: ({ number, store, link }: { number: string; store: string; link: string }) =>
      `We got your order ${number} from ${store}. Track it: ${link}`,
    receivedScheduled: ({ number, store, time, link }: { number: string; store: string; time: string; link: string }) =>
      `${sentence(`We got your order ${number} from ${store}, scheduled for ${time}`)} Track it: ${link}`,
    receivedBrief: ({ number, link }: { number: string; link: string }) => `Order ${number} received: ${link}`,
    scheduledBrief: ({ number, time, link }: { number: string; time: string; link: string }) =>
      `Order ${number}, ${time}: ${link}`,
    confirmed: ({ number, store }: { number: string; store: string }) => `${store} confirmed your order ${number}.`,
    confirmedArrives: ({ number, store, time }: { number: string; store: string; time: string }) =>
      sentence(`${store} confirmed your order ${number}. It should arrive by ${time}`),
    confirmedReady: ({ number, store, time }: { number: string; store: string; time: string }) =>
      sentence(`${store} confirmed your order ${number}. It should be ready by ${time}`),
    delayedArrives: ({ number, store, time }: { number: string; store: string; time: string }) =>
      sentence(`${store} needs more time for your order ${number}. It should now arrive by ${time}`),
    delayedReady: ({ number, store, time }: { number: string; store: string; time: string }) =>
      sentence(`${store} needs more time for your order ${number}. It should now be ready by ${time}`),
    delayedBrief: ({ number, time }: { number: string; time: string }) => `Order ${number} is delayed: ${time}`,
    confirmedScheduled: ({ number, store, time }: { number: string; store: string; time: string }) =>
      sentence(`${store} confirmed your order ${number}, scheduled for ${time}`),
    ready: ({ number, store }: { number: string; store: string }) =>
      `Your order ${number} is ready for pickup at ${store}.`,
    readyAt: ({ number, store, address }: { number: string; store: string; address: string }) =>
      `Your order ${number} is ready for pickup at ${store}, ${address}.`,
    onItsWay: ({ number, store, link }: { number: string; store: string; link: string }) =>
      `Your order ${number} from ${store} is on the way. Track it: ${link}`,
    onItsWayBrief: ({ number, link }: { number: string; link: string }) => `Order ${number} is on the way: ${link}`,
    nearby: ({ number, store }: { number: string; store: string }) =>
      `Your driver is almost there with your order ${number} from ${store}.`,
    nearbyNamed: ({ driver, number, store }: { driver: string; number: string; store: string }) =>
      `${driver} is almost there with your order ${number} from ${store}. Please meet your driver at the door.`,
    delivered: ({ number, store }: { number: string; store: string }) =>
      `Your order ${number} from ${store} was delivered. Enjoy!`,
    deliveredBrief: ({ number, store }: { number: string; store: string }) =>
      `Your order ${number} from ${store} was delivered.`,
    optOut: 'Reply STOP to opt out.',
  },
  /** The pages for entering a card or approving a charge. */
  card: {
    description: 'Save a card for your orders.',
    testPage: 'Test page: no card is charged. Use test cards only.',
    title: 'Add a card',
    titleWithFaults: 'Error: Add a card',
    lead: 'We’ll save it for future orders. You won’t be charged now.',
    leadOnce: 'It pays for this order only. You won’t be charged until you place it.',
    payOnce: 'Pay with this card',
    wrong: 'Check your card',
    notSaved: 'Your card wasn’t saved',
    number: 'Card number',
    expiration: 'Expiration date',
    expirationHint: 'MM/YY',
    cvc: 'Security code',
    cvcHint: '3 digits, 4 for Amex',
    save: 'Save card',
    cancel: 'Cancel',
    numberMissing: 'Enter your card number.',
    numberWrong: 'Check your card number.',
    expirationMissing: 'Enter the expiration date.',
    expirationWrong: 'Enter a month and a year, like 07/31.',
    expired: 'This card has expired.',
    cvcMissing: 'Enter the security code.',
    cvcWrong: 'Check the security code.',
    testCards: 'Test cards',
    pays: 'The payment goes through.',
    asksForApproval: 'Asks you to approve the payment.',
    declined: 'Declined when charged.',
    lacksFunds: 'Insufficient funds when charged.',
    testCardsHint: 'Use any future month and any security code.',
    saved: 'Your card is saved',
    savedDetail: 'This link has already been used to save a card.',
    ended: 'This link has expired',
    endedDetail: 'Links work once, for an hour. Go back to the shop for a new one.',
    backToShop: 'Back to the shop',
    unknown: 'Page not found',
    unknownDetail: 'The link may be incomplete. Go back to where you ordered and try again.',
    approveTitle: 'Approve this payment?',
    approveAmount: ({ amount }: { amount: string }) => `Your bank is asking you to approve a payment of ${amount}.`,
    approve: 'Approve',
    fail: 'Decline',
    answered: 'Thanks!',
    answeredDetail: 'Your bank has your answer. Go back to where you ordered to finish your order.',
  },
};
