import { fiftieths } from './slot-traits.ts';

/** Whether stores whose ratings round to the same fiftieths have had one rating so far. */
export type RatingValues = {
  note(rating: number): void;
  /** False too where no store has had such a rating. */
  isOne(fiftieths: number): boolean;
};

const RATINGS = 256;
const [ONE, SEVERAL] = [1, 2];

export function createRatingValues(): RatingValues {
  /** By fiftieths. */
  const values = new Float64Array(RATINGS);
  const known = new Uint8Array(RATINGS);
  return {
    note(rating) {
      const at = fiftieths(rating);
      if (known[at] === 0) {
        known[at] = ONE;
        values[at] = rating;
      } else if (!Object.is(values[at], rating)) known[at] = SEVERAL;
    },
    isOne: (at) => known[at] === ONE,
  };
}
