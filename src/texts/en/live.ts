/** Texts that the tracking page's script, which includes all of them, and the service write into the page. */
export const live = {
  minutesBetween: ({ from, to }: { from: number; to: number }) => `${from}–${to} min`,
  minutesWithin: ({ to }: { to: number }) => `Within ${to} min`,
  minutes: ({ count }: { count: number }) => `${count} min`,
  anyMinute: 'Any minute now',
  late: 'Running late',
  /** At the bottom of the page. */
  on: 'Live updates are on.',
  lost: 'Reconnecting…',
  polling: 'This page updates every 20 seconds.',
  /** After the link to share has gone to the clipboard. */
  copied: 'Link copied.',
};
