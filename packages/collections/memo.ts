import { LRUCache } from 'lru-cache';

/** Memoizes a pure function of a text for the `max` most recently used texts. */
export function memoized<Answer>(answerTo: (text: string) => Answer, max: number): (text: string) => Answer {
  const memoMethod = (text: string) => ({ answer: answerTo(text) });
  const answers = new LRUCache<string, { answer: Answer }>({ max, memoMethod });
  return (text) => answers.memo(text).answer;
}

/** Memoizes a pure function of an immutable object; a result lives as long as its object. */
export function memoizedByObject<Key extends object, Answer extends object>(
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

/** As `memoizedByObject`, for a memo that lives no longer than its objects, such as a search's; much faster. */
export function memoizedBriefly<Key extends object, Answer extends object>(
  answerTo: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new Map<Key, Answer>();
  return (key) => {
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = answerTo(key);
      answers.set(key, answer);
    }
    return answer;
  };
}
