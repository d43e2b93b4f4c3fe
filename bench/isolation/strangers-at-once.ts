import type { Attack } from './attack.ts';
import { attack as docs } from './docs-search-index.ts';
import { attack as signIn } from './sign-in-forms.ts';
import { attack as sms } from './sms-forms.ts';

export const attack: Attack = {
  name: 'forms of SMS and sign-in and the search index of the documents, each over 40 connections without a key',
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
