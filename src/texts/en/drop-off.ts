/** Handoff choices, as the customer makes them and as tickets, drivers and stores read them. */
export const dropOff = {
  title: 'Drop-off',
  where: { hand_to_me: 'Hand off in person', leave_at_door: 'Leave at the door', meet_outside: 'Meet outside' },
  utensils: 'Include utensils',
  noUtensils: 'No utensils',
  asksCode: 'Ask for the PIN',
  wantsCode: 'Require a PIN at handoff',
  code: 'Your PIN',
  codeHint: 'Give it to the person who hands you your order.',
};
