import { useState } from 'preact/hooks';
import { store as words } from '../../src/platform/languages/en/store.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import {
  copyGroups,
  fieldsOf,
  type ItemFields,
  type MenuItem,
  type MenuList,
  moved,
  NEW_ITEM,
} from './menu-editing.ts';
import { MenuForm } from './menu-form.tsx';
import { MenuHistory } from './menu-history.tsx';
import { Alert } from './notices.tsx';
import { Handle, useSorting } from './sorting.tsx';
import { type MenuDesk, useMenu } from './use-menu.ts';
import type { Desk } from './use-step.ts';

const { menu: say } = words;

/** The item in the form: one of the menu, or a new one of a category. */
type Editing = { categoryId: string; item?: MenuItem; fields: ItemFields };
type Shown = 'preview' | 'history' | undefined;

/** The menu as its store edits it. */
export function MenuView({ desk }: { desk: Desk }) {
  const menu = useMenu(desk);
  const [editing, setEditing] = useState<Editing | undefined>();
  const [shown, setShown] = useState<Shown>();
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
      <Alert text={menu.error} />
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
      {shown === 'preview' && <Preview menu={menu} close={() => setShown(undefined)} />}
      {shown === 'history' && <MenuHistory menu={menu} close={() => setShown(undefined)} />}
    </div>
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
  const { category, items } = list;
  const [name, setName] = useState<string | undefined>();
  const path = `/store/menu/categories/${encodeURIComponent(category.category_id)}`;
  const below = menu.lists.filter((one) => one.category.parent_id === category.category_id);
  const title = `category-${category.category_id}`;
  async function rename(event: Event): Promise<void> {
    event.preventDefault();
    const { version, hours } = category;
    if (await menu.send('PUT', path, { name, hours, version }, say.saved({ name: name ?? '' }))) setName(undefined);
  }
  function move(to: number): void {
    const from = siblings.map((one) => one.category.category_id);
    const body = { category_id: category.parent_id, from, to: moved(from, at, to) };
    if (to >= 0 && to < from.length && !menu.isLoading) void menu.send('PUT', '/store/menu/sequence', body, say.sorted);
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
        <div class="press-row">
          <Button kind="quiet" label={say.renameOf({ name: category.name })} onPress={() => setName(category.name)}>
            {say.rename}
          </Button>
          <Button
            kind="quiet"
            label={say.removeOf({ name: category.name })}
            isBusy={menu.busy}
            onPress={() =>
              void menu.send('POST', `${path}/remove`, { version: category.version }, say.removed(category))
            }
          >
            {say.remove}
          </Button>
        </div>
      </div>
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
      {items.length === 0 && <NewCategory menu={menu} parent={category} />}
    </section>
  );
}

function ItemRows({ menu, list, edit }: Pick<PanelProps, 'menu' | 'list' | 'edit'>) {
  const { category, items } = list;
  const sorting = useSorting(items, (sorted) => {
    const [from, to] = [items, sorted].map((all) => all.map(({ item_id }) => item_id));
    if (menu.isLoading) return;
    void menu.send('PUT', '/store/menu/sequence', { category_id: category.category_id, from, to }, say.sorted);
  });
  return (
    <ul class="rows" ref={sorting.rows}>
      {items.map((item, at) => (
        <li key={item.item_id} class={`menu-item ${sorting.markOf(at)}`}>
          <Handle label={say.moveOf({ name: item.name })} {...sorting.handle(at)} />
          {item.image && <img src={item.thumbnail_image ?? item.image} alt="" width="48" height="48" loading="lazy" />}
          <p>
            <strong>{item.name}</strong>
            <span class="soft">
              {menu.desk.context.format.money(item.price)}
              {!item.available && <em> · {say.offSale}</em>}
              {item.customizations.length > 0 && ` · ${item.customizations.map((group) => group.name).join(', ')}`}
            </span>
          </p>
          <div class="press-row">
            <Button
              label={say.editOf({ name: item.name })}
              onPress={() => edit({ categoryId: category.category_id, item, fields: fieldsOf(item) })}
            >
              {say.edit}
            </Button>
            <Button
              kind="quiet"
              label={say.duplicateOf({ name: item.name })}
              onPress={() => {
                const fields = { ...fieldsOf(item), customizations: copyGroups(item.customizations) };
                edit({ categoryId: category.category_id, fields });
              }}
            >
              {say.duplicate}
            </Button>
          </div>
        </li>
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

type GroupsProps = { groups: ItemFields['customizations']; format: Desk['context']['format'] };

function Groups({ groups, format }: GroupsProps) {
  return (
    <ul class="menu-groups">
      {groups.map((group) => (
        <li>
          <span>
            {group.name} · {say.choose({ min: group.min_choice_options, max: group.max_choice_options })}
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
