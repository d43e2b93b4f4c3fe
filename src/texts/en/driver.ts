import { sentence } from '../../platform/languages/grammar.ts';

/** Texts of the drivers' page. `you` is the driver. A customer without a name is an empty string. */
export const driver = {
  skip: 'Skip to the delivery',
  brand: 'Delivery',
  title: ({ store }: { store: string }) => `Delivery from ${store}`,
  language: 'Language',
  test: 'Test order. There’s nothing to pick up or deliver.',
  needsScript:
    'This page needs JavaScript to update the delivery and share your location. Without it, call the store and they’ll update it for you.',

  headline: {
    assigned: 'You’ve got a delivery',
    accepted: ({ store }: { store: string }) => `Pick up at ${store}`,
    pickedUp: ({ customer }: { customer: string }) => `Deliver to ${customer || 'the customer'}`,
    nearby: 'You’re almost there',
    delivered: 'Delivered',
    route: ({ store, customer }: { store: string; customer: string }) =>
      `From ${store} to ${customer || 'the customer'}.`,
    isReady: 'The order is ready.',
    readyAround: ({ time }: { time: string }) => sentence(`It should be ready around ${time}`),
    thereBy: ({ time }: { time: string }) => sentence(`Be at the door by ${time}`),
    knowsYouAreNear: ({ customer }: { customer: string }) =>
      customer === '' ? 'The customer knows you’re close.' : `${customer} knows you’re close.`,
    thanks: 'Thanks! You can close this page.',
  },

  facts: {
    order: 'Order',
    items: 'Items',
    payment: 'Payment',
    prepaid: 'Prepaid. Don’t collect payment.',
    collect: ({ amount }: { amount: string }) => `Collect ${amount}.`,
    collectCash: ({ amount }: { amount: string }) => `Collect ${amount} in cash.`,
    alcohol: 'Alcohol',
    checkId: 'Check ID at the door.',
    tip: 'Tip',
    pay: 'Pay for this delivery',
    tipsToday: 'Tips today',
    tipsOfDays: ({ days }: { days: number }) => `Tips, last ${days} days`,
  },

  stop: {
    bag: 'Check the bag',
    pickup: 'Pickup',
    dropoff: 'Drop-off',
    customer: 'Customer',
    apartment: ({ number }: { number: string }) => `Apt ${number}`,
    note: 'Note:',
    map: 'Map',
    mapTo: ({ name }: { name: string }) => `Map to ${name}`,
    call: 'Call',
    callTo: ({ name, phone }: { name: string; phone: string }) => `Call ${name}, ${phone}`,
  },

  map: {
    otherApps: 'Using another app to navigate?',
    stops:
      'Behind another app, this page stops sharing your location, and the customer can’t follow you until you come back. Keep it on your screen, or use split screen.',
    trackers:
      'To share in the background, use OwnTracks (HTTP mode) or Traccar Client with this delivery’s link as the URL:',
  },

  proof: {
    code: 'Customer’s PIN',
    codeFirst: 'Ask the customer for the four-digit PIN on their order page.',
    wrongCode: 'That PIN is incorrect. After five incorrect PINs, call the store.',
    collected: 'Amount collected',
    collectedWrong: 'Enter the amount you collected, such as 18.50.',
    atTheDoor: 'At the door',
    idChecked: 'I checked an ID. The customer is of legal age.',
    takePhoto: 'Take a photo (optional)',
    takeAnother: 'Take another photo',
    photoSaved: 'Photo saved.',
  },

  step: { accept: 'Accept', pickUp: 'I picked it up', complete: 'Delivered' },

  far: {
    title: 'Far from the door?',
    question: ({ distance }: { distance: string }) =>
      `Your phone says you’re ${distance} from the door. Did you deliver the order?`,
    notYet: 'Not yet',
    delivered: 'Yes, delivered',
  },

  sharing: {
    asking: 'Allow location access so the customer can follow you.',
    on: 'The customer can see where you are while this page is on your screen.',
    lost: 'You’re offline. We’ll send your location once you’re back online.',
    searching: 'Looking for your location…',
    denied:
      'We can’t see your location. Allow it for this page in your browser’s settings, then open the link again. The buttons work without it.',
  },

  sending: {
    accept: 'You’re offline. We’ll accept the delivery once you’re back online. Keep this page open.',
    pickUp: 'You’re offline. We’ll mark it picked up once you’re back online. Keep this page open.',
    complete: 'You’re offline. We’ll mark it delivered once you’re back online. Keep this page open.',
    photo: 'You’re offline. We’ll send the photo once you’re back online. Keep this page open.',
    badPhoto: 'We can’t read that photo. Take a new photo.',
    idFirst: 'This order contains alcohol. Check an ID first, then check the box.',
    refused: 'That didn’t work. Try again, or call the store.',
    notPossible: 'That’s not possible right now. Call the store if something’s wrong.',
  },

  ended: {
    tab: 'Link expired',
    title: 'This link no longer works',
    detail: 'The delivery is over, or another driver has it now.',
    wholeLink: 'Think it should work? Open the whole link from the message you got.',
    callStore: 'Still have the order? Call the store.',
  },
};
