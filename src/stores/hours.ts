/** A range of a local day in minutes from local midnight; an end past 1440 runs into the next day. */
export type MinuteRange = { startMinute: number; endMinute: number };

/** Monday first; a closed day is an empty array. */
export type WeeklyHours = readonly [
  readonly MinuteRange[],
  readonly MinuteRange[],
  readonly MinuteRange[],
  readonly MinuteRange[],
  readonly MinuteRange[],
  readonly MinuteRange[],
  readonly MinuteRange[],
];

export const CHANNELS = ['operational', 'delivery', 'pickup', 'dine_in'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Hours by channel; null means unknown, which reads as closed. */
export type StoreHours = Readonly<Record<Channel, WeeklyHours | null>>;

/** The weekdays by their names on the wire, in the order of `WeeklyHours`. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const MINUTES_PER_DAY = 1440;
export const MINUTES_PER_WEEK = 10080;

/** Hours of every weekday, from the answer for each (0 is Monday). */
export function weeklyHours(rangesOf: (weekday: number) => readonly MinuteRange[]): WeeklyHours {
  return [rangesOf(0), rangesOf(1), rangesOf(2), rangesOf(3), rangesOf(4), rangesOf(5), rangesOf(6)];
}

/** A channel that the feed leaves out has the hours of `operational`; a channel given as null stays unknown (docs/feeds.md#hours). */
export function completeHours(given: Readonly<Partial<Record<Channel, WeeklyHours | null>>>): StoreHours {
  const operational = given.operational ?? null;
  const follow = (hours: WeeklyHours | null | undefined) => (hours === undefined ? operational : hours);
  return {
    operational,
    delivery: follow(given.delivery),
    pickup: follow(given.pickup),
    dine_in: follow(given.dine_in),
  };
}
