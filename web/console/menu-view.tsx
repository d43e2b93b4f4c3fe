import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TaxClass } from '../../src/supply/stores/tax-class.ts';
import type { StoreMenuChange } from '../../src/surfaces/store-console/menu.route.ts';
import { item } from '../../src/texts/en/item.ts';
import { menu as say, store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { BareField, Form } from '../field.tsx';
import { useRead } from '../use-read.ts';
import { TaxClassField } from './fields.tsx';
import { type ItemFields, type MenuGroup, type MenuList, moved, NEW_ITEM, priceOf, productOf } from './menu-editing.ts';
import { AsFeed, MenuForm } from './menu-form.tsx';
import { Alert } from './notices.tsx';
import { Page } from './panel.tsx';
import { type Editing, More, type Product, ProductRow } from './product-row.tsx';
import { Handle, useSorting } from './sorting.tsx';
import { type MenuDesk, useMenu } from './use-menu.ts';
import { useProducts } from './use-products.ts';
import type { Desk } from './use-step.ts';

/* The menu editor: categories and items, search, availability and stock. */

type Shown = 'preview' | 'history' | undefined;

/** The edited item. Its form begins at its top; after it the menu is scrolled as before, its opener focused. */
function useEditing(): [Editing | undefined, (next?: Editing) => void] {
  const [editing, setEditing] = useState<Editing>();
  const from = useRef({ top: 0, label: '' });
  useLayoutEffect(() => {
    const main = document.getElementById('main');
    main?.scrollTo(0, editing ? 0 : from.current.top);
    const labeled = editing ? [] : [...(main?.querySelectorAll<HTMLElement>('[aria-label]') ?? [])];
    labeled.find(({ ariaLabel }) => ariaLabel === from.current.label)?.focus({ preventScroll: true });
  }, [editing]);
  const edit = (next?: Editing) => {
    const top = document.getElementById('main')?.scrollTop ?? 0;
    if (next) from.current = { top, label: document.activeElement?.ariaLabel ?? '' };
    setEditing(next);
  };
  return [editing, edit];
}

/** The menu: availability and units left, found by name, and all that its store edits. */
export function MenuView({ desk }: { desk: Desk }) {
  const menu = useMenu(desk);
  const [editing, setEditing] = useEditing();
  const [shown, setShown] = useState<Shown>();
  const [query, setQuery] = useState('');
  const [isOffOnly, setOffOnly] = useState(false);
  if (editing) return <MenuForm menu={menu} {...editing} close={setEditing} />;
  const tops = menu.lists.filter(({ category }) => category.parent_id === null);
  return (
    <Page
      title={say.title}
      tools={
        <div class="press-row">
          {desk.context.staff === undefined && (
            <a class="button" href="#offers">
              {words.offers.title}
            </a>
          )}
          <Button onPress={() => setShown('preview')} text={say.preview} />
          <Button onPress={() => setShown('history')} text={say.history} />
        </div>
      }
    >
      <div class="view-head search">
        <BareField type="search" label={words.products.search} enterkeyhint="search" value={query} set={setQuery} />
        <Button aria-pressed={isOffOnly} onPress={() => setOffOnly(!isOffOnly)} text={words.products.soldOut} />
      </div>
      <Alert text={menu.error} />
      {query.trim() !== '' || isOffOnly ? (
        <Found menu={menu} query={query} isOffOnly={isOffOnly} edit={setEditing} />
      ) : (
        <>
          {tops.map((list, at) => (
            <CategoryPanel
              key={list.category.category_id}
              menu={menu}
              list={list}
              siblings={tops}
              at={at}
              edit={setEditing}
            />
          ))}
          {tops.length === 0 && !menu.isLoading && !menu.error && <p class="empty">{say.empty}</p>}
          <NewCategory menu={menu} />
        </>
      )}
      {shown === 'preview' && <Preview menu={menu} close={() => setShown(undefined)} />}
      {shown === 'history' && <MenuHistory menu={menu} close={() => setShown(undefined)} />}
    </Page>
  );
}

type FoundProps = { menu: MenuDesk; query: string; isOffOnly: boolean; edit: PanelProps['edit'] };

/** Items by name, or sold-out items. The service finds them, so that a long menu need not be read first. */
function Found({ menu, query, isOffOnly, edit }: FoundProps) {
  const list = useProducts(menu.desk, query, isOffOnly);
  const items = new Map(menu.lists.flatMap((one) => one.items).map((item) => [item.item_id, item]));
  const show = (product: Product) => {
    list.show(product);
    menu.put(product);
  };
  return (
    <section class="panel" aria-label={say.title} aria-busy={list.isLoading}>
      <Alert text={list.error} />
      <ul class="rows">
        {list.products.map((product) => (
          <ProductRow
            key={product.external_id}
            desk={menu.desk}
            product={product}
            show={show}
            about={product.category}
            item={items.get(product.external_id)}
            edit={edit}
          />
        ))}
      </ul>
      {list.products.length === 0 && !list.isLoading && !list.error && (
        <p class="empty">{isOffOnly ? words.products.allAvailable : words.products.noMatch}</p>
      )}
      {list.more && (
        <Button
          isBusy={list.isLoading}
          onPress={list.more}
          text={list.isLoading ? words.products.loading : words.products.showMore}
        />
      )}
    </section>
  );
}

type PanelProps = {
  menu: MenuDesk;
  list: MenuList;
  siblings: readonly MenuList[];
  at: number;
  edit: (editing: Editing) => void;
};

/** A category with its items, or with its subcategories. */
function CategoryPanel({ menu, list, siblings, at, edit }: PanelProps) {
  const { category } = list;
  const [name, setName] = useState<string | undefined>();
  const [isOpen, setOpen] = useState(false);
  const path = `/store/menu/categories/${encodeURIComponent(category.category_id)}`;
  const below = menu.lists.filter((one) => one.category.parent_id === category.category_id);
  const title = `category-${category.category_id}`;
  function save(changes: { name?: string; tax_class?: TaxClass | null }): Promise<boolean> {
    const { name: known, hours, version } = category;
    const body = { name: known, hours, version, ...changes };
    return menu.send('PUT', path, body, say.saved({ name: body.name }));
  }
  async function rename(): Promise<void> {
    if (!(await save({ name: name ?? '' }))) return;
    setName(undefined);
    setOpen(false);
  }
  function move(to: number): void {
    const from = siblings.map((one) => one.category.category_id);
    if (to >= 0 && to < from.length) void menu.sort(category.parent_id, from, moved(from, at, to));
  }
  return (
    <section class="panel menu-category" aria-labelledby={title} aria-busy={menu.busy}>
      <div class="menu-head">
        <Handle label={say.moveOf({ name: category.name })} move={(step) => move(at + step)} />
        {name === undefined ? (
          <h2 id={title}>{category.name}</h2>
        ) : (
          <Form class="menu-rename" submit={rename}>
            <BareField
              label={say.categoryName}
              id={title}
              inputRef={(field) => field?.focus()}
              value={name}
              maxLength={500}
              required
              set={setName}
            />
            <Button submit kind="main" isBusy={menu.busy} text={say.save} />
          </Form>
        )}
        {category.feed_changed && <em class="soft">{say.feedChanged}</em>}
        <More name={category.name} isOpen={isOpen} setOpen={setOpen} />
      </div>
      {isOpen && (
        <CategoryDetails menu={menu} list={list} path={path} save={save} rename={() => setName(category.name)} />
      )}
      <ItemRows menu={menu} list={list} edit={edit} />
      {below.map((one, n) => (
        <CategoryPanel key={one.category.category_id} menu={menu} list={one} siblings={below} at={n} edit={edit} />
      ))}
      {below.length === 0 && (
        <Button
          label={say.addItemTo({ name: category.name })}
          onPress={() => edit({ categoryId: category.category_id, fields: NEW_ITEM })}
          text={say.addItem}
        />
      )}
    </section>
  );
}

type DetailsProps = {
  menu: MenuDesk;
  list: MenuList;
  path: string;
  save: (changes: { tax_class: TaxClass | null }) => Promise<boolean>;
  rename: () => void;
};

/** Rare actions for a category: another name, its tax class, its removal, a category in it. */
function CategoryDetails({ menu, list: { category, items }, path, save, rename }: DetailsProps) {
  return (
    <div class="details">
      <div class="press-row">
        <Button label={say.renameOf({ name: category.name })} onPress={rename} text={say.rename} />
        <Button
          label={say.removeOf({ name: category.name })}
          isBusy={menu.busy}
          onPress={() => void menu.send('POST', `${path}/remove`, { version: category.version }, say.removed(category))}
          text={say.remove}
        />
      </div>
      <TaxClassField
        inherited={say.asAbove}
        chosen={category.tax_class}
        set={(tax_class) => void save({ tax_class })}
      />
      {category.origin === 'edited' && (
        <AsFeed menu={menu} target="category" id={category.category_id} name={category.name} />
      )}
      {items.length === 0 && <NewCategory menu={menu} parent={category} />}
    </div>
  );
}

function ItemRows({ menu, list, edit }: Pick<PanelProps, 'menu' | 'list' | 'edit'>) {
  const { category, items } = list;
  const sorting = useSorting(items, (sorted) => {
    const [from, to] = [items, sorted].map((all) => all.map(({ item_id }) => item_id));
    void menu.sort(category.category_id, from ?? [], to ?? []);
  });
  return (
    <ul class="rows" ref={sorting.rows}>
      {items.map((item, at) => (
        <ProductRow
          key={item.item_id}
          desk={menu.desk}
          product={productOf(item)}
          show={menu.put}
          mark={`menu-item ${sorting.markOf(at)}`}
          lead={
            <>
              <Handle label={say.moveOf({ name: item.name })} {...sorting.handle(at)} />
              {item.image && (
                <img src={item.thumbnail_image ?? item.image} alt="" width="48" height="48" loading="lazy" />
              )}
            </>
          }
          about={[
            priceOf(menu.desk.context.format, item),
            ...(item.customizations.length > 0 ? [item.customizations.map((group) => group.name).join(', ')] : []),
            ...(item.feed_changed ? [say.feedChanged] : []),
          ].join(' · ')}
          item={item}
          edit={edit}
        />
      ))}
    </ul>
  );
}

/** A field that adds a category: Enter adds it, and the field is empty for the next one. */
function NewCategory({ menu, parent }: { menu: MenuDesk; parent?: MenuList['category'] }) {
  const [name, setName] = useState('');
  const label = parent ? say.newCategoryIn({ name: parent.name }) : say.newCategory;
  async function add(): Promise<void> {
    const body = { name, parent_id: parent?.category_id ?? null };
    if (await menu.send('POST', '/store/menu/categories', body, say.saved({ name }))) setName('');
  }
  return (
    <Form class="menu-rename" submit={add}>
      <BareField label={label} maxLength={500} required value={name} set={setName} />
      <Button submit isBusy={menu.busy} text={say.addCategory} />
    </Form>
  );
}

/** The menu as customers see it: available items, with their options. */
function Preview({ menu, close }: { menu: MenuDesk; close: () => void }) {
  const { format } = menu.desk.context;
  const lists = menu.lists
    .map(({ category, items }) => ({ category, items: items.filter(({ available }) => available) }))
    .filter(({ items }) => items.length > 0);
  return (
    <Dialog title={say.preview} close={close}>
      <div class="menu-preview">
        {lists.map(({ category, items }) => (
          <section key={category.category_id}>
            <h3>{category.name}</h3>
            {items.map((item) => (
              <article key={item.item_id}>
                {item.image && <img src={item.thumbnail_image ?? item.image} alt="" loading="lazy" />}
                <p>
                  <strong>{item.name}</strong> <span class="amount">{priceOf(format, item)}</span>
                </p>
                {item.description && <p class="soft">{item.description}</p>}
                <Groups groups={item.customizations} format={format} />
              </article>
            ))}
          </section>
        ))}
        {lists.length === 0 && !menu.error && <p class="empty">{say.empty}</p>}
      </div>
      <Button onPress={close} text={words.frame.back} />
    </Dialog>
  );
}

function unitsText({ min_total_units: min = 0, max_total_units: max }: MenuGroup): string {
  return min === 0 && max === undefined ? '' : `, ${item.units({ min, max })}`;
}

function Groups({ groups, format }: { groups: ItemFields['customizations']; format: Desk['context']['format'] }) {
  return (
    <ul class="menu-groups">
      {groups.map((group) => (
        <li>
          <span>
            {group.name} · {say.choose({ min: group.min_choice_options, max: group.max_choice_options })}
            {unitsText(group)}
          </span>
          <ul>
            {group.options.map((option) => (
              <li>
                {option.name} {option.price > 0 && <span class="amount">{format.extra(option.price)}</span>}
                {option.customizations.length > 0 && <Groups groups={option.customizations} format={format} />}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const { added, edited, removed, sorted, switched, undone } = say.actions;
const ACTIONS = { added, edited, removed, sorted, switched, undone };

type Field = StoreMenuChange['fields'][number];

/** The newest changes of the menu, each with its undo. */
function MenuHistory({ menu, close }: { menu: MenuDesk; close: () => void }) {
  const { context } = menu.desk;
  const path = '/store/menu/changes';
  const { data, error, reload } = useRead(path, () => context.api.get<{ changes: StoreMenuChange[] }>(path));
  async function undo(id: string): Promise<void> {
    await menu.send('POST', `/store/menu/changes/${id}/undo`, {}, say.undone);
    reload();
  }
  /** Photos have addresses, which mean nothing to people. */
  const hasTexts = ({ field, before, after }: Field) => field !== 'image' && (before !== null || after !== null);
  const valueText = ({ field }: Field, value: unknown) => {
    if (field === 'available') return value === true ? words.products.available : words.products.soldOut;
    if (field === 'available_at') return typeof value === 'number' ? context.clock.moment(value, context.now()) : '–';
    if (field === 'qty_available' && value === null) return words.products.notCounted;
    return typeof value === 'number' && field.endsWith('price') ? context.format.money(value) : String(value ?? '–');
  };
  return (
    <Dialog title={say.history} close={close}>
      <Alert text={error || menu.error} />
      <ul class="rows">
        {data?.changes.map((change) => (
          <li key={change.change_id}>
            <p>
              <strong>{ACTIONS[change.action]({ name: change.name || say.title })}</strong>
              <span class="soft">
                {context.clock.moment(change.at, context.now())} · {change.by_name ?? say.by[change.by]}
                {change.fields
                  .filter(({ field }) => field !== 'thumbnail_image')
                  .map((field) => (
                    <>
                      {' · '}
                      {say.fields[field.field as keyof typeof say.fields] ?? field.field}
                      {hasTexts(field) && ` ${valueText(field, field.before)} → ${valueText(field, field.after)}`}
                    </>
                  ))}
              </span>
            </p>
            {change.undone_by === null ? (
              <Button
                kind="quiet"
                label={say.undoOf({ name: change.name })}
                isBusy={menu.busy}
                onPress={() => void undo(change.change_id)}
                text={say.undo}
              />
            ) : (
              <span class="soft">{say.undone}</span>
            )}
          </li>
        ))}
      </ul>
      {data?.changes.length === 0 && !error && <p class="empty">{say.noChanges}</p>}
      <Button onPress={close} text={words.frame.back} />
    </Dialog>
  );
}
