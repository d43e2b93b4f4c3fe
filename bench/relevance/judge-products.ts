import type { BenchService } from '../setup.ts';
import type { Judgments } from './judge-stores.ts';
import type { NamedProduct } from './named-products.ts';
import { LOOKED_AT, type Score, scoreOf } from './score.ts';
import { plainWords, typeName } from './typed-name.ts';

type Found = { name: string; category: string };

/** Words that do not change which product a name means. */
const STOP_WORDS: ReadonlySet<string> = new Set(['a', 'an', 'and', 'or', 'of', 'the', 'in', 'on', 'with', 'w']);

/**
 * Runs product search near each product's store. A response is correct if its name or category has all meant words,
 * singular or plural, at any store.
 */
export async function scoreProducts(
  service: Pick<BenchService, 'url' | 'key'>,
  products: readonly NamedProduct[],
  judgments: Judgments,
): Promise<Score[]> {
  const byRef = new Map(products.map((product) => [product.ref, product]));
  const scores: Score[] = [];
  for (const [kind, judged] of Object.entries(judgments)) {
    for (const [ref, ...recipe] of judged) {
      const product = byRef.get(ref);
      if (!product) throw new Error(`The feeds have no ${ref}.`);
      const { text, meant } = typeName(product.name, recipe, '');
      const isRight = (other: Found): boolean => hasAll(other, meant);
      const shown = (await search(service, product, text)).slice(0, LOOKED_AT);
      scores.push(scoreOf(kind, text, shown.map(isRight), products.filter(isRight).length));
    }
  }
  return scores;
}

async function search(
  { url, key }: Pick<BenchService, 'url' | 'key'>,
  { latitude, longitude }: NamedProduct,
  text: string,
): Promise<Found[]> {
  const query = { query: text, user_latitude: String(latitude + 0.01), user_longitude: String(longitude - 0.01) };
  const reply = await fetch(`${url}/search/product/v4?${new URLSearchParams(query)}`, { headers: { 'id-token': key } });
  if (reply.status !== 200) throw new Error(`${reply.status} for ${text}`);
  return ((await reply.json()) as { products: Found[] }).products;
}

function hasAll({ name, category }: Found, meant: readonly string[]): boolean {
  const words = new Set(plainWords(`${name} ${category}`).map(stemOf));
  return meant.every((word) => STOP_WORDS.has(word) || words.has(stemOf(word)));
}

function stemOf(word: string): string {
  return word.length < 4
    ? word
    : word
        .replace(/ies$/, 'y')
        .replace(/(?<=x|ch|sh|ss|o)es$/, '')
        .replace(/(?<!s)s$/, '');
}
