/** How an order is handed over: what the customer chooses, and what ticket, driver and store read of it. */
export const dropOff = {
  title: 'Drop-off',
  where: { hand_to_me: 'Hand over in person', leave_at_door: 'Leave at the door', meet_outside: 'Meet outside' },
  utensils: 'Include utensils',
  noUtensils: 'No utensils',
  asksCode: 'Ask for the code',
  wantsCode: 'Require a PIN at handoff',
  code: 'Your code',
  codeHint: 'Give it to the person who hands you your order.',
};
