/** Says of goods by weight what is paid at most, or taken where no card can hold it. Amounts are written. */
export const estimate = {
  atMost: ({ amount, limit }: { amount: string; limit: string }) =>
    `Estimated ${amount}. Sold by weight: you’ll pay up to ${limit}.`,
  takenNow: ({ amount, limit }: { amount: string; limit: string }) =>
    `Estimated ${amount}. Sold by weight: we’ll charge ${limit} now and refund the difference.`,
  aboveMost: 'Above your maximum',
};
