/** Says of goods by weight what is paid at most, or taken where no card can hold it. Amounts are written. */
export const estimate = {
  atMost: ({ amount, limit }: { amount: string; limit: string }) =>
    `Estimated ${amount}. By weight; you pay at most ${limit}.`,
  takenNow: ({ amount, limit }: { amount: string; limit: string }) =>
    `Estimated ${amount}. By weight; ${limit} is taken now, and what it weighs less comes back.`,
  aboveMost: 'Above the most you pay',
};
