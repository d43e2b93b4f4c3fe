/** What customers read: pages of an order, receipts, mail, SMS. `you` is the customer, `we` the brand. */
export const customer = {
  /** Why an order was canceled, by its code. */
  cancelReason: {
    canceled_by_store: 'The store canceled it.',
    store_did_not_confirm: 'The store didn’t confirm it in time.',
    not_placed_in_time: 'Your payment took too long, so we didn’t send it to the store.',
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
};
