/** A sentence whose last word may be a time: that of `6:45 p.m.` has its period already. */
export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
