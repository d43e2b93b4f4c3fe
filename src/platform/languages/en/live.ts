/** What the tracking page's script writes between two messages, and the service in the page. A script has all of it. */
export const live = {
  minutesBetween: ({ from, to }: { from: number; to: number }) => `${from}–${to} min`,
  minutesWithin: ({ to }: { to: number }) => `Within ${to} min`,
  minutes: ({ count }: { count: number }) => `${count} min`,
  anyMinute: 'Any minute now',
  late: 'Running late',
  /** At the foot of the page. */
  on: 'Live updates are on.',
  lost: 'Reconnecting…',
  polling: 'This page updates every 20 seconds.',
};
