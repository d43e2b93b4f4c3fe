/** States the maximum of items sold by weight, or the charge where no card can hold it. Amounts are written out. */
export const estimate = {
  atMost: ({ amount, limit }: { amount: string; limit: string }) =>
    `Estimated ${amount}. Sold by weight: you’ll pay up to ${limit}.`,
  takenNow: ({ amount, limit }: { amount: string; limit: string }) =>
    `Estimated ${amount}. Sold by weight: we’ll charge ${limit} now and refund the difference.`,
  aboveMost: 'Above your maximum',
};
