import { LRUCache } from 'lru-cache';
import { lastUsed } from './last-used.ts';

/**
 * A pure function of a text that keeps its answers, the last used `max` of them. A memo is no state: with it and without
 * it the function gives the same answers.
 */
export function memoised<Answer>(answerTo: (text: string) => Answer, max: number): (text: string) => Answer {
  const answers = new LRUCache<string, { answer: Answer }>(lastUsed(max));
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known.answer;
    const answer = answerTo(text);
    answers.set(text, { answer });
    return answer;
  };
}

/** The same of an object that is never changed; an answer lives as long as its object. */
export function memoisedByObject<Key extends object, Answer extends object>(
  answerTo: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new WeakMap<Key, Answer>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = answerTo(key);
    answers.set(key, answer);
    return answer;
  };
}
