const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:28`);
/** Start times when every test must pass, by what makes them special; the clock runs on from there. */
export const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  'each hour of a Wednesday': HOURS.map((hour) => `2027-01-13T${hour}:00Z`),
  // 11:00 and 22:00 in Chicago.
  'just before a breakfast menu and many stores end': ['2027-01-13T16:59:50Z', '2027-01-14T03:59:50Z'],
  'the US skips an hour: just before in New York and in Chicago, and that afternoon': [
    '2027-03-14T06:59:50Z',
    '2027-03-14T07:59:50Z',
    '2027-03-14T18:28:00Z',
  ],
  // 01:28 in Chicago, the end of the first 01:00 hour, 01:28 again.
  'the US repeats an hour: in it, between the two, in the second, and that afternoon': [
    '2027-11-07T06:28:00Z',
    '2027-11-07T06:59:50Z',
    '2027-11-07T07:28:00Z',
    '2027-11-07T18:28:00Z',
  ],
  'the end of a year: UTC, New York, Chicago': ['2027-12-31T23:59:50Z', '2028-01-01T04:59:50Z', '2028-01-01T05:59:50Z'],
  // Years ahead, so that everything with an expiry has expired.
  '29 February: its beginning in Chicago, its noon, its end there': [
    '2036-02-29T05:59:50Z',
    '2036-02-29T18:28:00Z',
    '2036-03-01T05:59:50Z',
  ],
};
