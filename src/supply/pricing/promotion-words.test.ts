import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { readHours } from '../stores/read-hours.ts';
import { rejectionInWords } from './promotion.ts';
import { type OfferedTerms, offerInWords, promotionTitle } from './promotion-words.ts';

/** Stores' texts of a promotion: its terms with its conditions, in each language. */

const TERMS = { kind: 'percent', percent: 20 } as const;
const inAll = (conditions: Partial<OfferedTerms>) =>
  LANGUAGES.map((language) =>
    offerInWords({ terms: TERMS, firstOrder: false, ...conditions }, localeOf(language, 'US')).replaceAll(
      '\u00a0',
      ' ',
    ),
  );
function inHours(text: string) {
  const read = readHours(text);
  assert.ok(read.ok);
  return inAll({ hours: read.hours });
}

test('each condition is said in each language, and an offer without any is its terms', () => {
  const plain = ['20% off', '20 % de rabais', '20% de descuento'];
  const cases: [Partial<OfferedTerms>, string[]][] = [
    [{ minimumSubtotalCents: 1500 }, ['$15.00 minimum', 'Achat minimum de 15,00 $', 'Compra mínima de $15.00']],
    [{ items: { categories: ['mains'] } }, ['Selected items', 'Articles sélectionnés', 'Productos seleccionados']],
    [{ mode: 'pickup' }, ['Pickup only', 'Cueillette seulement', 'Solo para recoger']],
    [{ mode: 'delivery' }, ['Delivery only', 'Livraison seulement', 'Solo a domicilio']],
    [{ firstOrder: true }, ['First order only', 'Première commande seulement', 'Solo en tu primer pedido']],
  ];
  assert.deepEqual(inAll({}), plain);
  assert.deepEqual(inAll({ minimumSubtotalCents: 0 }), plain);
  for (const [conditions, said] of cases) {
    assert.deepEqual(
      inAll(conditions),
      said.map((fact, nth) => `${plain[nth]} · ${fact}`),
    );
  }
});

test('a title is its owner’s text, and free delivery applies to delivery', () => {
  assert.deepEqual(new Set(inAll({ title: 'Taco Tuesday', minimumSubtotalCents: 1500 })), new Set(['Taco Tuesday']));
  assert.equal(inAll({ terms: { kind: 'delivery', toCents: 0 }, mode: 'delivery' })[0], 'Free delivery');
});

test('hours are days and times in short; different hours of several days are not listed', () => {
  const cases = [
    ['Mo-Fr 14:00-17:00', 'Mon – Fri, 2:00 – 5:00 PM', 'Lun. – ven., 14 h 00 – 17 h 00', 'Lun – vie, 2:00–5:00 p.m.'],
    ['Tu 00:00-24:00', 'Tue', 'Mar.', 'Mar'],
    ['Mo,We,Fr 11:00-14:00,20:00-22:00', 'Mon, Wed, Fri, 11:00 AM – 2:00 PM, 8:00 – 10:00 PM'],
    ['Mo-Su 22:00-02:00', '10:00 PM – 2:00 AM', '22 h 00 – 2 h 00', '10:00 p.m. – 2:00 a.m.'],
    ['Fr-Sa 21:00-24:00', 'Fri – Sat, 9:00 PM – 12:00 AM'],
    ['Mo-Fr 14:00-17:00; Sa 12:00-15:00', 'Certain hours only', 'À certaines heures', 'A ciertas horas'],
  ];
  for (const [hours = '', ...said] of cases) {
    const facts = inHours(hours).map((text) => text.replace(/^.*? · /, ''));
    assert.deepEqual(facts.slice(0, said.length), said, hours);
  }
  assert.deepEqual(inHours('24/7'), inAll({}));
});

test('a minimum names the items that it counts, in an offer, a title and a rejected code alike', () => {
  const names = fc.option(fc.uniqueArray(fc.constantFrom('Pizzas', 'Salads', 'Cold Tea'), { minLength: 1 }), {
    nil: undefined,
  });
  const tiers = [{ minimumSubtotalCents: 3000, amountCents: 500 }];
  const says = [
    { language: 'en', of: 'of', on: 'on', and: ' and ', items: 'items', selected: 'selected items', but: 'except' },
    {
      language: 'fr',
      of: 'en',
      on: 'en',
      and: ' et ',
      items: 'articles',
      selected: 'articles sélectionnés',
      but: 'sauf',
    },
    {
      language: 'es',
      of: 'en',
      on: 'en',
      and: ' y ',
      items: 'productos',
      selected: 'productos seleccionados',
      but: 'excepto',
    },
  ] as const;
  const check = (given: string[] | undefined, except: string[] | undefined) => {
    const itemNames = { ...(given && { names: given }), ...(except && { except }) };
    for (const { language, of, on, and, items, selected, but } of says) {
      const locale = localeOf(language, 'US');
      const list = (all: string[]) =>
        all.length < 3 ? all.join(and) : `${all.slice(0, 2).join(', ')}${language === 'en' ? ',' : ''}${and}${all[2]}`;
      const without = except ? ` ${but} ${list(except)}` : '';
      const counted = given || except ? `${given ? list(given) : items}${without}` : selected;
      const amount = locale.format.money(3000);
      const common = { firstOrder: false, itemNames };
      const percent = offerInWords({ ...common, terms: TERMS, minimumSubtotalCents: 3000, items: {} }, locale);
      assert.ok(percent.includes(`${amount} ${of} ${counted}`), percent);
      const spend = promotionTitle({ itemNames, terms: { kind: 'spend', tiers } }, locale);
      assert.ok(spend.includes(`${amount} ${on} ${counted}`), spend);
      assert.ok(offerInWords({ ...common, terms: { kind: 'spend', tiers } }, locale).startsWith(spend));
      const rejected = { code: 'PIE', reason: 'minimum_not_met', missingCents: 3000, itemNames } as const;
      const text = rejectionInWords(locale.words.checkout.promoCode, rejected, true, locale.format);
      assert.match(text, new RegExp(`\\b${of} ${counted} .*PIE`));
      assert.ok(text.includes(amount));
    }
  };
  fc.assert(fc.property(names, names, check), { numRuns: runs(500) });
});
