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
