import { useState } from 'preact/hooks';
import type { TaxClass } from '../../src/supply/stores/tax-class.ts';
import { item } from '../../src/texts/en/item.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import { type ItemFields, type MenuGroup, type MenuList, moved, NEW_ITEM, productOf } from './menu-editing.ts';
import { AsFeed, MenuForm } from './menu-form.tsx';
import { MenuHistory } from './menu-history.tsx';
import { Alert } from './notices.tsx';
import { type Editing, More, type Product, ProductRow } from './product-row.tsx';
import { Handle, useSorting } from './sorting.tsx';
import { TaxClassField } from './tax-class-field.tsx';
import { type MenuDesk, useMenu } from './use-menu.ts';
import { useProducts } from './use-products.ts';
import type { Desk } from './use-step.ts';

/* The menu editor: categories and items, search, availability and stock. */

const { menu: say } = words;

type Shown = 'preview' | 'history' | undefined;

/** The menu: what is on sale and how many are left, found by name, and all that its store edits. */
export function MenuView({ desk }: { desk: Desk }) {
  const menu = useMenu(desk);
  const [editing, setEditing] = useState<Editing | undefined>();
  const [shown, setShown] = useState<Shown>();
  const [query, setQuery] = useState('');
  const [isOffOnly, setOffOnly] = useState(false);
  if (editing) return <MenuForm menu={menu} {...editing} close={() => setEditing(undefined)} />;
  const tops = menu.lists.filter(({ category }) => category.parent_id === null);
  return (
    <div class="page">
      <div class="view-head">
        <h1>{say.title}</h1>
        <div class="press-row">
          <Button onPress={() => setShown('preview')}>{say.preview}</Button>
          <Button onPress={() => setShown('history')}>{say.history}</Button>
        </div>
      </div>
      <div class="view-head search">
        <input
          type="search"
          placeholder={words.products.search}
          value={query}
          enterkeyhint="search"
          autocomplete="off"
          aria-label={words.products.search}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <button type="button" class="button" aria-pressed={isOffOnly} onClick={() => setOffOnly(!isOffOnly)}>
          {words.products.soldOut}
        </button>
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
          {tops.length === 0 && !menu.isLoading && <p class="empty">{say.empty}</p>}
          <NewCategory menu={menu} />
        </>
      )}
      {shown === 'preview' && <Preview menu={menu} close={() => setShown(undefined)} />}
      {shown === 'history' && <MenuHistory menu={menu} close={() => setShown(undefined)} />}
    </div>
  );
}

type FoundProps = { menu: MenuDesk; query: string; isOffOnly: boolean; edit: PanelProps['edit'] };

/** Items by name, or those that are sold out. The service finds them, so that a long menu need not be read first. */
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
        <Button isBusy={list.isLoading} onPress={list.more}>
          {list.isLoading ? words.products.loading : words.products.showMore}
        </Button>
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
  async function rename(event: Event): Promise<void> {
    event.preventDefault();
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
          <form class="menu-rename" onSubmit={rename}>
            <input
              id={title}
              aria-label={say.categoryName}
              value={name}
              maxLength={500}
              required
              ref={(field) => field?.focus()}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button submit kind="primary" isBusy={menu.busy}>
              {say.save}
            </Button>
          </form>
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
        >
          {say.addItem}
        </Button>
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

/** What a category rarely needs: another name, its tax class, its removal, a category in it. */
function CategoryDetails({ menu, list: { category, items }, path, save, rename }: DetailsProps) {
  return (
    <div class="details">
      <div class="press-row">
        <Button label={say.renameOf({ name: category.name })} onPress={rename}>
          {say.rename}
        </Button>
        <Button
          label={say.removeOf({ name: category.name })}
          isBusy={menu.busy}
          onPress={() => void menu.send('POST', `${path}/remove`, { version: category.version }, say.removed(category))}
        >
          {say.remove}
        </Button>
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
            menu.desk.context.format.money(item.price),
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
  async function add(event: Event): Promise<void> {
    event.preventDefault();
    const body = { name, parent_id: parent?.category_id ?? null };
    if (await menu.send('POST', '/store/menu/categories', body, say.saved({ name }))) setName('');
  }
  return (
    <form class="menu-rename" onSubmit={add}>
      <input
        aria-label={label}
        placeholder={label}
        value={name}
        maxLength={500}
        required
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button submit isBusy={menu.busy}>
        {say.addCategory}
      </Button>
    </form>
  );
}

/** The menu as customers see it: what is on sale, with its options. */
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
                  <strong>{item.name}</strong> <span class="amount">{format.money(item.price)}</span>
                </p>
                {item.description && <p class="soft">{item.description}</p>}
                <Groups groups={item.customizations} format={format} />
              </article>
            ))}
          </section>
        ))}
        {lists.length === 0 && <p class="empty">{say.empty}</p>}
      </div>
      <Button onPress={close}>{words.frame.back}</Button>
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
