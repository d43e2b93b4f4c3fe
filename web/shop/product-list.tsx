import { Component } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MenuItem } from '../../clients/typescript/src/api-types.ts';
import { type Format, momentAt } from '../../src/platform/languages/format.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { listen } from '../listen.ts';
import { sourcesOf } from '../photo.ts';
import { Icon, Stepper } from './sheet.tsx';
import { useStore } from './store-context.ts';
import { firstQuantity, unitPriceText, weightOf, weightText } from './weights.ts';

/*
 * The products of a store, section by section. A long list contains only the rows near the screen in the page; all
 * others are space of the same height, so that 3,000 products scroll like thirty.
 */

type Known = 'product_id' | 'name' | 'price' | 'min_price' | 'original_price' | 'unit_size' | 'unit_of_measurement';
type Choices = 'should_fetch_customizations' | 'customizations';
/** A product of an inventory or of a search, which has fewer fields. */
export type Product = Pick<MenuItem, Known | Choices> & { [Member in keyof MenuItem]?: MenuItem[Member] | undefined };

/** A category with products. `products` is absent until they are read; `count` is known before. */
export type Section = {
  id: string;
  categoryId: string;
  name: string;
  count: number;
  products?: readonly Product[] | undefined;
};

/** The page's data for cards, the same for all. */
export type Shelf = {
  format: Format;
  timeZone: string;
  /** A grocer's shelves: several products alongside each other. */
  isTiled: boolean;
  open(product: Product): void;
  /** Sets how many of a product without choices are in the cart. */
  setQuantity(product: Product, quantity: number): void;
};

type Props = {
  sections: readonly Section[];
  /** Called with sections near the screen whose products are not read yet. */
  read?: (sections: readonly Section[]) => void;
  /** Called with the section at the top of the screen. */
  reach?: (id: string) => void;
};

/** Lists with more products have only those near the screen in the page. */
const MAX_WHOLE = 150;
/** Rows beyond the edges of the screen, and the window moves in multiples of them. */
const SPARE_ROWS = 4;
/** Rows of each section in the server's rendering of a long list. */
const FIRST_ROWS = 12;
const SETTLED_MS = 120;

/** First and last row of each section near the screen. */
type Rows = ReadonlyMap<string, readonly [number, number]>;

export function ProductList({ sections, read, reach }: Props) {
  const { counts, shelf } = useStore();
  const list = useRef<HTMLDivElement>(null);
  const isLong = sections.reduce((sum, { count }) => sum + count, 0) > MAX_WHOLE;
  /** 0 until the page is measured. */
  const [columns, setColumns] = useState(0);
  const [rows, setRows] = useState<Rows>(() => firstRows(sections));
  const latest = useRef({ sections, read, reach });
  latest.current = { sections, read, reach };

  useEffect(() => {
    let frame = 0;
    let settled = 0;
    let shown = '';
    const update = () => {
      frame = 0;
      const near = nearRows(list.current, latest.current.sections);
      const top = near.top ?? latest.current.sections[0]?.id;
      if (top !== undefined) latest.current.reach?.(top);
      const key = JSON.stringify([near.columns, ...near.rows]);
      if (key === shown) return;
      shown = key;
      setColumns(near.columns);
      setRows(near.rows);
    };
    const readNear = () => {
      const { rows: near } = nearRows(list.current, latest.current.sections);
      const missing = latest.current.sections.filter(({ id, products }) => products === undefined && near.has(id));
      if (missing.length > 0) latest.current.read?.(missing);
    };
    const scrolled = () => {
      frame ||= requestAnimationFrame(update);
      window.clearTimeout(settled);
      settled = window.setTimeout(readNear, SETTLED_MS);
    };
    scrolled();
    const end = listen(window, 'scroll resize', scrolled);
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(settled);
      end();
    };
  }, [sections]);

  return (
    <div ref={list}>
      {sections.map((section) => (
        <SectionView
          key={section.id}
          section={section}
          rows={isLong ? (rows.get(section.id) ?? NO_ROWS) : undefined}
          columns={columns}
          counts={counts}
          shelf={shelf}
        />
      ))}
    </div>
  );
}

const NO_ROWS = [0, 0] as const;
const NO_GRID = { gridAutoRows: '148px', gridTemplateColumns: '' };

/** The beginning of the list, as far as a first screen may show it. */
function firstRows(sections: readonly Section[]): Rows {
  let left = FIRST_ROWS * 2;
  const rows = new Map<string, readonly [number, number]>();
  for (const { id, count } of sections) {
    if (left <= 0) break;
    rows.set(id, [0, Math.min(count, left)]);
    left -= count;
  }
  return rows;
}

/** The rows near the screen, the number of columns, and the section at the top. */
function nearRows(
  list: HTMLElement | null,
  sections: readonly Section[],
): { rows: Rows; columns: number; top: string | undefined } {
  const rows = new Map<string, readonly [number, number]>();
  const grid = list?.querySelector('ul');
  const { gridAutoRows: row, gridTemplateColumns } = grid ? getComputedStyle(grid) : NO_GRID;
  const spare = SPARE_ROWS * Number.parseFloat(row);
  const columns = gridTemplateColumns.split(' ').length;
  let top: string | undefined;
  for (const [index, element] of [...(list?.children ?? [])].entries()) {
    const section = sections[index];
    const box = element.getBoundingClientRect();
    if (!section || box.bottom < -spare || box.top > innerHeight + spare) continue;
    if (box.top < innerHeight / 3) top = section.id;
    const body = element.querySelector('ul')?.getBoundingClientRect().top ?? box.top;
    const quantized = (px: number) => Math.floor(px / spare) * SPARE_ROWS;
    const first = Math.max(0, quantized(-body) - SPARE_ROWS);
    const last = Math.min(Math.ceil(section.count / columns), quantized(innerHeight - body) + 2 * SPARE_ROWS);
    rows.set(section.id, [first, Math.max(first, last)]);
  }
  return { rows, columns, top };
}

type SectionProps = {
  section: Section;
  /** Undefined: all of them. */
  rows: readonly [number, number] | undefined;
  columns: number;
  counts: ReadonlyMap<string, number>;
  shelf: Shelf;
};

class SectionView extends Component<SectionProps> {
  override shouldComponentUpdate({ section, rows, columns, counts }: SectionProps): boolean {
    const { props } = this;
    const isSameWindow = rows?.[0] === props.rows?.[0] && rows?.[1] === props.rows?.[1] && columns === props.columns;
    return section !== props.section || counts !== props.counts || !isSameWindow;
  }

  override render({ section, rows, columns: measured, counts, shelf }: SectionProps) {
    const { id, name, count, products } = section;
    const columns = Math.max(1, measured);
    const total = Math.ceil(count / columns);
    const [first, last] = rows ?? [0, total];
    const shown = products?.slice(first * columns, last * columns);
    // The server writes no styles, which the policy of the page forbids; its rows are the first ones.
    const style =
      rows && measured > 0
        ? {
            paddingTop: `calc(${first} * var(--row))`,
            paddingBottom: `calc(${Math.max(0, total - last)} * var(--row))`,
          }
        : undefined;
    return (
      <section id={id} aria-labelledby={`${id}-name`}>
        <h2 id={`${id}-name`} tabIndex={-1}>
          {name}
        </h2>
        <ul class={shelf.isTiled ? 'products tiles' : 'products'} {...(style ? { style } : {})}>
          {shown
            ? shown.map((product) => (
                <Card
                  key={product.product_id}
                  product={product}
                  count={counts.get(product.product_id) ?? 0}
                  shelf={shelf}
                />
              ))
            : Array.from({ length: Math.min(last - first, SPARE_ROWS * 3) * columns }, (_, at) => (
                <li key={at} class="product skeleton" aria-hidden="true" />
              ))}
        </ul>
        {IS_SERVER && rows && <Rest products={products?.slice(last)} shelf={shelf} />}
      </section>
    );
  }
}

const IS_SERVER = typeof document === 'undefined';

/** The rest of a long list, for readers without scripts; browsers with scripts do not parse it. */
function Rest({ products = [], shelf }: { products: readonly Product[] | undefined; shelf: Shelf }) {
  if (products.length === 0) return null;
  return (
    <noscript>
      <ul>
        {products.map((product) => (
          <li key={product.product_id}>
            {product.name} <Price product={product} format={shelf.format} />
          </li>
        ))}
      </ul>
    </noscript>
  );
}

type CardProps = { product: Product; count: number; shelf: Shelf };

/** Whether the product goes into the cart without a question. */
export const isPlain = ({ customizations, should_fetch_customizations: isMore }: Product): boolean =>
  customizations.length === 0 && !isMore;

class Card extends Component<CardProps> {
  override shouldComponentUpdate({ product, count }: CardProps): boolean {
    return product !== this.props.product || count !== this.props.count;
  }

  override render({ product, count, shelf }: CardProps) {
    const { name, description, is_available: isAvailable = true, qty_available: left } = product;
    const image = product.thumbnail_image ?? product.image;
    return (
      <li class={isAvailable ? 'product' : 'product off'}>
        <button type="button" class="product-text" onClick={() => shelf.open(product)}>
          <span class="product-name">{name}</span>
          <span class="product-price">
            <Price product={product} format={shelf.format} />
          </span>
          {description && <span class="product-more">{description}</span>}
          {!isAvailable && <strong class="lacks">{unavailableText(product, shelf)}</strong>}
          {isAvailable && left != null && left <= FEW_LEFT && (
            <span class="lacks">{words.store.fewLeft({ count: left })}</span>
          )}
        </button>
        {image && <Picture source={image} />}
        {isAvailable && <QuickAdd product={product} count={count} shelf={shelf} />}
      </li>
    );
  }
}

const FEW_LEFT = 5;

function QuickAdd({ product, count, shelf }: CardProps) {
  const { name, qty_available: left } = product;
  const weight = weightOf(product);
  if (isPlain(product) && count > 0)
    return (
      <Stepper
        name={name}
        quantity={count}
        min={0}
        max={weight?.max ?? left ?? 99}
        text={weight && weightText(weight, count, shelf.format)}
        set={(quantity) => shelf.setQuantity(product, quantity)}
      />
    );
  const add = () => (isPlain(product) ? shelf.setQuantity(product, firstQuantity(product)) : shelf.open(product));
  return (
    <button
      type="button"
      class={count > 0 ? 'round add main' : 'round add'}
      aria-label={words.store.add({ name })}
      onClick={add}
    >
      {count > 0 ? weight ? 1 : count : <Icon name="plus" />}
    </button>
  );
}

/** A picture of a store; if it does not load, its place stays empty. */
export function Picture({ source, isLarge = false }: { source: string; isLarge?: boolean }) {
  return (
    <img
      {...sourcesOf(source, isLarge ? '(min-width: 40rem) 40rem, 100vw' : 'auto, 12rem')}
      alt=""
      class={isLarge ? 'photo large' : 'photo'}
      loading={isLarge ? 'eager' : 'lazy'}
      decoding="async"
      onError={({ currentTarget }) => currentTarget.classList.add('broken')}
    />
  );
}

/** A product's price, its former price before a sale, and its size. */
export function Price({ product, format }: { product: Product; format: Format }) {
  const { price, min_price: min, original_price: original, unit_of_measurement: unit } = product;
  const { unit_price: compared, estimated_piece_price: piece } = product;
  const weight = weightOf(product);
  const money = (cents: number) => (weight ? unitPriceText(weight, cents, format) : format.money(cents));
  const amount = money(min);
  return (
    <>
      {min > price ? words.store.from({ amount }) : amount}
      {original > price && (
        <>
          {' '}
          <s>
            <span class="unseen">{words.store.before}</span> {money(original)}
          </s>
        </>
      )}
      {piece !== undefined && <span class="unit"> · {words.item.aboutEach({ amount: format.money(piece) })}</span>}
      {unit !== '' && !weight && <span class="unit"> · {sizeText(product, format)}</span>}
      {compared && !weight && min === price && (
        <span class="unit">
          {' '}
          · {format.money(compared.cents)}/{compared.per > 1 && `${compared.per} `}
          {compared.unit}
        </span>
      )}
    </>
  );
}

/** How much one is, such as `12 oz`; empty where the store does not say. */
export const sizeText = ({ unit_size: size, unit_of_measurement: unit }: Product, format: Format): string =>
  size === null ? unit : `${format.number(size, 2)} ${unit}`;

/** Why a product cannot be ordered now. */
export function unavailableText(
  { available_at: at }: Product,
  { format, timeZone }: Pick<Shelf, 'format' | 'timeZone'>,
): string {
  if (at == null) return at === null ? words.store.notNow : words.store.soldOut;
  const now = { epochMilliseconds: Date.now() };
  return words.store.availableAt({ moment: format.moment(momentAt(at), timeZone, now) });
}
