import type { StoreType } from '../../supply/stores/store.ts';

/* Kinds of stores by the words of a directory, and the goods of shops with these words (docs/store-kinds.md). */

/** A place's kind of store (docs/store-kinds.md). */
export type StoreKind = {
  type: StoreType;
  /** The directory's word that decided the kind. */
  category: string;
  /** Goods of a shop, as names of product categories; empty for a restaurant. */
  sells: readonly string[];
};

/** Whether the shop with this word sells food to take home. */
export const sellsFood = (shops: ShopWords, word: string): boolean => FOOD_GOODS.has(shops.get(word) ?? '');

/** Goods of shops with these words, each once; unknown words are skipped. */
export function goodsOfShops(shops: ShopWords, among: readonly string[]): string[] {
  return [...new Set(among.flatMap((word) => shops.get(word) ?? []))];
}

/** The goods of shops that sell food to take home. */
export const FOOD_GOODS: ReadonlySet<string> = new Set(
  'groceries,produce,meat,seafood,dairy,bakery,deli,sweets,coffee and tea,alcohol,drinks,specialty food,health food'.split(
    ',',
  ),
);

/** The goods of each kind of shop, by the directory's word for it. */
type ShopWords = ReadonlyMap<string, string>;

export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Parses lines `goods: word word …`; a line without a colon continues the previous one. */
export function parseShopWords(text: string): ShopWords {
  const goodsByWord = new Map<string, string>();
  let sold = '';
  for (const line of text.trim().split('\n')) {
    const [, name = sold, list = ''] = /^(?:([^:]+):)?(.*)$/.exec(line.trim()) ?? [];
    sold = name;
    for (const word of words(list)) goodsByWord.set(word, sold);
  }
  return goodsByWord;
}
