/** What stores read: console, tickets, notices. */
export const store = {};
