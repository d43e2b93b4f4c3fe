import type { Attack } from './attack.ts';
import { attack as docs } from './docs-search-index.ts';
import { attack as signIn } from './sign-in-forms.ts';
import { attack as sms } from './sms-forms.ts';

/** The SMS webhook, the sign-in and the documents are attacked at the same time, each with 40 connections. */
export const attack: Attack = {
  name: 'strangers at once',
  env: { ...sms.env },
  async run(target) {
    const counts = await Promise.all([sms, signIn, docs].map((one) => one.run(target)));
    return Object.fromEntries(
      counts.flatMap((count, nth) =>
        Object.entries(count).map(([word, times]) => [`${'sms sign-in docs'.split(' ')[nth]} ${word}`, times]),
      ),
    );
  },
};
