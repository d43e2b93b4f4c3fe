import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { MerchantProduct } from '../../src/surfaces/store-console/store-products.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Field, Form } from '../field.tsx';
import { useRun } from '../use-read.ts';
import { copyGroups, fieldsOf, type ItemFields, type MenuItem } from './menu-editing.ts';
import { Alert } from './notices.tsx';
import type { Desk } from './use-step.ts';

/* A product in the menu editor. */

const { products: say } = words;

export type Product = MerchantProduct;

/** The item in the form: one of the menu, or a new one of a category. */
export type Editing = { categoryId: string; item?: MenuItem; fields: ItemFields };

type Props = {
  desk: Desk;
  product: Product;
  show: (product: Product) => void;
  /** The text before and after its name. */
  lead?: ComponentChildren;
  about: string;
  /** The item to be edited or copied, once the menu is read. */
  item: MenuItem | undefined;
  edit: (editing: Editing) => void;
  mark?: string;
};

/** A product with its switch, its stock, and its options. */
export function ProductRow({ desk, product, show, lead, about, item, edit, mark = '' }: Props) {
  const { busy, error, run } = useRun();
  const [isOpen, setOpen] = useState(false);
  const path = `/store/products/${encodeURIComponent(product.external_id)}`;

  const { api, clock, now } = desk.context;
  const change = (name: string, address: string, body: object) =>
    run(name, async () => show(await api.send<Product>('PATCH', address, body)));
  const offCount = product.options.filter(({ available }) => !available).length;
  return (
    <li class={`stock-row ${mark}`}>
      {lead}
      <p>
        {item ? (
          <button
            type="button"
            class="opener"
            aria-label={words.menu.editOf(product)}
            onClick={() => edit({ categoryId: item.category_id, item, fields: fieldsOf(item) })}
          >
            {product.name}
          </button>
        ) : (
          <strong>{product.name}</strong>
        )}
        <span class="soft">
          {about}
          {product.available_at !== null && (
            <em> · {say.backAt({ moment: clock.moment(product.available_at, now()) })}</em>
          )}
          {product.qty_available !== null && (
            <em> · {say.left({ count: desk.context.format.number(product.qty_available) })}</em>
          )}
          {offCount > 0 && <em> · {say.optionsSoldOut({ count: offCount })}</em>}
        </span>
      </p>
      <div class="press-row">
        <More name={product.name} isOpen={isOpen} setOpen={setOpen} />
        {!product.available && (
          <Button
            aria-pressed={product.available_at !== null}
            isBusy={busy === 'tomorrow'}
            label={say.untilTomorrowOf(product)}
            onPress={() => {
              const until = product.available_at === null ? { until: 'tomorrow' } : {};
              if (busy === '') void change('tomorrow', path, { available: false, ...until });
            }}
            text={say.untilTomorrow}
          />
        )}
        <Switch
          label={say.switchOf({ name: product.name })}
          isOn={product.available}
          isBusy={busy === 'sale'}
          set={(available) => change('sale', path, { available })}
        />
      </div>
      <Alert text={error} />
      {isOpen && <Details product={product} item={item} edit={edit} path={path} busy={busy} change={change} />}
    </li>
  );
}

type DetailsProps = Pick<Props, 'product' | 'item' | 'edit'> & {
  path: string;
  busy: string;
  change: (name: string, address: string, body: object) => Promise<boolean>;
};

/** Its stock, its options, and a copy. */
function Details({ product, item, edit, path, busy, change }: DetailsProps) {
  return (
    <div class="details">
      {!item?.weight && (
        <Stock
          product={product}
          isBusy={busy === 'stock'}
          set={(qty) => change('stock', path, { qty_available: qty })}
        />
      )}
      {product.options.map((option) => (
        <div class="option-row" key={option.external_id}>
          <p>
            {option.name} <span class="soft">{option.customization}</span>
          </p>
          <Switch
            label={say.switchOfOption({ option: option.name, product: product.name })}
            isOn={option.available}
            isBusy={busy === option.external_id}
            set={(available) =>
              change(
                option.external_id,
                `/store/options/${encodeURIComponent(product.external_id)}/${encodeURIComponent(option.external_id)}`,
                { available },
              )
            }
          />
        </div>
      ))}
      {item && (
        <Button
          label={words.menu.duplicateOf(product)}
          onPress={() => {
            const fields = { ...fieldsOf(item), customizations: copyGroups(item.customizations) };
            edit({ categoryId: item.category_id, fields });
          }}
          text={words.menu.duplicate}
        />
      )}
    </div>
  );
}

/** Opens an item's or category's rare actions. */
export function More({ name, isOpen, setOpen }: { name: string; isOpen: boolean; setOpen: (isOpen: boolean) => void }) {
  const action = isOpen ? say.less : say.more;
  return (
    <Button
      kind="quiet"
      aria-expanded={isOpen}
      label={say.actionFor({ action, name })}
      onPress={() => setOpen(!isOpen)}
      text={action}
    />
  );
}

type SwitchProps = { label: string; isOn: boolean; isBusy: boolean; set: (isOn: boolean) => void };

/** Toggles availability with one tap. */
function Switch({ label, isOn, isBusy, set }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      class={`switch${isBusy ? ' busy' : ''}`}
      aria-checked={isOn}
      aria-busy={isBusy}
      aria-label={label}
      onClick={() => !isBusy && set(!isOn)}
    >
      <span aria-hidden="true">{isBusy ? words.frame.saving : isOn ? say.available : say.soldOut}</span>
    </button>
  );
}

type StockProps = { product: Product; isBusy: boolean; set: (quantity: number | null) => Promise<boolean> };

/** The units left; empty if the store does not count the product. */
function Stock({ product, isBusy, set }: StockProps) {
  const [typed, setTyped] = useState<string | undefined>();
  const shown = typed ?? (product.qty_available === null ? '' : String(product.qty_available));
  const isGood = /^\d{1,6}$/.test(shown);
  /** A refused number stays in its field. */
  async function submit(): Promise<void> {
    if (!isGood || isBusy) return;
    if (await set(Number(shown))) setTyped((now) => (now === typed ? undefined : now));
  }
  return (
    <Form class="stock" submit={submit}>
      <Field
        class=""
        label={say.stockOf(product)}
        inputmode="numeric"
        autocomplete="off"
        placeholder={say.notCounted}
        required
        pattern="\d{1,6}"
        value={shown}
        set={setTyped}
      />
      <Button submit isOff={!isGood} isBusy={isBusy} text={isBusy ? words.frame.saving : say.set} />
      {product.qty_available !== null && (
        <Button kind="quiet" isBusy={isBusy} onPress={() => set(null)} text={say.stopCounting} />
      )}
    </Form>
  );
}
