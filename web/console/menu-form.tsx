import { useState } from 'preact/hooks';
import { ALLERGENS, DIETS, NUTRIENTS } from '../../src/supply/catalog/food.ts';
import { typedWeight, WEIGHT_UNITS, type WeightUnit } from '../../src/supply/pricing/weight.ts';
import { formatHours } from '../../src/supply/stores/format-hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import type { TaxClass } from '../../src/supply/stores/tax-class.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Check, Field, Form, Select } from '../field.tsx';
import type { ConsoleContext } from './console-context.ts';
import {
  amountOf,
  centsOf,
  copyGroups,
  type Food,
  type ItemFields,
  type MenuGroup,
  type MenuItem,
  type MenuOption,
  newOption,
  replaced,
  type TypedWeight,
} from './menu-editing.ts';
import { Alert } from './notices.tsx';
import { Page } from './panel.tsx';
import { PhotoField } from './photo-field.tsx';
import { Handle, useSorting } from './sorting.tsx';
import { TaxClassField } from './tax-class-field.tsx';
import type { MenuDesk } from './use-menu.ts';
import { WeekEditor } from './week-editor.tsx';

/* The form of a menu item with its option groups, prices by mode, tax class, photo and switches. */

const { menu: say } = words;

type Props = { menu: MenuDesk; categoryId: string; item?: MenuItem; fields: ItemFields; close: () => void };

/** An item's form. Enter saves a new item or copy and opens the next, so that a menu is typed without the mouse. */
export function MenuForm({ menu, categoryId, item, fields: first, close }: Props) {
  const [fields, setFields] = useState(first);
  const [home, setHome] = useState(categoryId);
  /** Counts the items typed, so that each has a form with empty fields. */
  const [round, setRound] = useState(0);
  const [isUploading, setUploading] = useState(false);
  const { context } = menu.desk;
  // Upon the newest fields: a photo arrives while others are typed.
  const set = (changes: Partial<ItemFields>) => setFields((typed) => ({ ...typed, ...changes }));
  const isReady = fields.name.trim() !== '' && Number.isInteger(fields.price);
  const isBusy = menu.busy || isUploading;

  async function save(): Promise<boolean> {
    if (!isReady || isBusy) return false;
    const body = { category_id: home, item: { ...sent(fields), tax_class: fields.tax_class ?? '' } };
    const done = say.saved({ name: fields.name });
    if (!item) return menu.send('POST', '/store/menu/items', body, done);
    return menu.send('PUT', pathOf(item), { ...body, version: item.version }, done);
  }
  async function submit(): Promise<void> {
    if (!(await save())) return;
    if (item) return close();
    // The copies of an item are typed one after another, each with options of its own.
    setFields({ ...first, name: '', customizations: copyGroups(first.customizations) });
    setRound(round + 1);
  }
  async function remove(): Promise<void> {
    if (!item) return;
    if (await menu.send('POST', `${pathOf(item)}/remove`, { version: item.version }, say.removed(item))) close();
  }
  return (
    <Page
      title={item ? say.editOf({ name: item.name }) : say.newItem}
      tools={<Button kind="quiet" onPress={close} text={words.frame.back} />}
    >
      <Form class="panel menu-form" key={round} submit={submit}>
        <Alert text={menu.error} />
        {item?.feed_changed && <p class="soft">{say.feedChanged}</p>}
        <Basics
          menu={menu}
          isNew={item === undefined}
          fields={fields}
          set={set}
          home={home}
          setHome={setHome}
          setUploading={setUploading}
        />
        <h2>{say.options}</h2>
        <Groups context={context} groups={fields.customizations} edit={(customizations) => set({ customizations })} />
        <CopyOptions menu={menu} fields={fields} set={set} />
        <details>
          <summary>{say.more}</summary>
          <More context={context} fields={fields} set={set} />
        </details>
        <div class="buttons">
          <Button submit kind="main" isOff={!isReady} isBusy={isBusy} text={item ? say.save : say.saveAndNext} />
          {item?.origin === 'edited' && (
            <AsFeed menu={menu} target="item" id={item.item_id} name={item.name} done={close} />
          )}
          {item ? (
            <Button kind="main danger" isBusy={isBusy} onPress={() => void remove()} text={say.remove} />
          ) : (
            <Button
              isOff={!isReady}
              isBusy={isBusy}
              onPress={() => void save().then((isDone) => isDone && close())}
              text={say.saveAndClose}
            />
          )}
        </div>
      </Form>
    </Page>
  );
}

const pathOf = (item: MenuItem) => `/store/menu/items/${encodeURIComponent(item.item_id)}`;

type BasicsProps = SetFields & {
  menu: MenuDesk;
  isNew: boolean;
  home: string;
  setHome: (id: string) => void;
  setUploading: (isUploading: boolean) => void;
};

/** Fields of every item: name, price, category, description and photo. */
function Basics({ menu, isNew, fields, set, home, setHome, setUploading }: BasicsProps) {
  const { context } = menu.desk;
  const leaves = menu.lists.filter(({ category: { category_id: id } }) =>
    menu.lists.every((one) => one.category.parent_id !== id),
  );
  return (
    <>
      <Field
        label={say.name}
        inputRef={focusIfNew('', isNew)}
        maxLength={500}
        required
        autocomplete="off"
        value={fields.name}
        set={(name) => set({ name })}
      />
      <div class="fields">
        <Amount context={context} label={priceLabel(fields)} cents={fields.price} set={(price) => set({ price })} />
        <Select
          label={say.category}
          value={home}
          set={setHome}
          options={leaves.map(({ category }) => [category.category_id, category.name] as const)}
        />
      </div>
      <WeightFields fields={fields} set={set} />
      <Check label={say.alcoholic} isOn={fields.is_alcoholic} set={(is_alcoholic) => set({ is_alcoholic })} />
      <label class="field">
        {say.description}
        <textarea
          rows={2}
          maxLength={10_000}
          value={fields.description ?? ''}
          onInput={({ currentTarget: { value } }) => set({ description: value === '' ? null : value })}
        />
      </label>
      <PhotoField
        context={context}
        title={words.photo.title}
        alt={words.photo.of({ name: fields.name })}
        photo={fields.image === null ? null : { url: fields.image, thumbnail: fields.thumbnail_image ?? fields.image }}
        set={(photo) => set({ image: photo?.url ?? null, thumbnail_image: photo?.thumbnail ?? null })}
        setUploading={setUploading}
      />
    </>
  );
}

const priceLabel = ({ weight }: ItemFields): string =>
  weight ? say.priceFor({ amount: `${weight.price_per ?? 1} ${weight.unit}` }) : say.price;

type AsFeedProps = { menu: MenuDesk; target: 'item' | 'category'; id: string; name: string; done?: () => void };

/** Ends the store's edit, so that its feed decides again. */
export function AsFeed({ menu, target, id, name, done = () => {} }: AsFeedProps) {
  async function end(): Promise<void> {
    if (await menu.send('POST', '/store/menu/as_feed', { target, target_id: id }, say.saved({ name }))) done();
  }
  return <Button isBusy={menu.busy} onPress={() => void end()} text={say.asFeed} />;
}

/** Leaves out options and groups whose name is empty, which are unused rows. */
function sent(fields: ItemFields): ItemFields {
  return { ...fields, customizations: namedGroups(fields.customizations) };
}

function namedGroups(groups: readonly MenuGroup[]): MenuGroup[] {
  return groups
    .filter(({ name }) => name.trim() !== '')
    .map((group) => {
      const options = group.options
        .filter(({ name }) => name.trim() !== '')
        .map((option) => ({ ...option, customizations: namedGroups(option.customizations) }));
      return { ...withMaximums(group), options };
    });
}

/** Maximums are raised to their minimums. */
function withMaximums(group: MenuGroup): MenuGroup {
  const {
    min_choice_options: min,
    max_choice_options: max,
    min_total_units: minUnits,
    max_total_units: maxUnits,
  } = group;
  const unitsMax = maxUnits === undefined ? undefined : Math.max(maxUnits, minUnits ?? 0);
  return { ...group, max_choice_options: Math.max(max, min), max_total_units: unitsMax };
}

type AmountProps = {
  context: ConsoleContext;
  label: string;
  cents: number | null;
  set: (cents: number) => void;
  required?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
};

/** An amount in the store's currency. An incomplete amount is NaN. */
export function Amount({ context, label, cents, set, ...more }: AmountProps) {
  const { format } = context;
  const zero = format.money(0);
  const [typed, setTyped] = useState(cents ? amountOf(cents, format.decimalSign) : '');
  const isWrong = centsOf(typed) === undefined;
  return (
    <label class="field">
      {label}
      <span class={/^\d/.test(zero) ? 'money after' : 'money'} data-sign={zero.replace(/[\d.,\s]/g, '')}>
        <input
          inputmode="decimal"
          autocomplete="off"
          placeholder={amountOf(0, format.decimalSign)}
          value={typed}
          aria-invalid={isWrong}
          {...more}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            set(centsOf(value) ?? Number.NaN);
          }}
        />
      </span>
    </label>
  );
}

/** A required choice of one, such as a size. */
const newGroup = (): MenuGroup => ({ name: '', min_choice_options: 1, max_choice_options: 1, options: [newOption()] });

type GroupsProps = {
  context: ConsoleContext;
  groups: readonly MenuGroup[];
  edit: (groups: readonly MenuGroup[]) => void;
  /** The option that opens these groups. */
  of?: string;
};

/** Option groups, nested in an option to any depth. */
function Groups({ context, groups, edit, of }: GroupsProps) {
  return (
    <div class="menu-group-list">
      {groups.map((group, at) => (
        <fieldset key={at} class="menu-group">
          <legend>{group.name || say.newGroup}</legend>
          <div class="fields">
            <Field
              label={say.groupName}
              inputRef={focusIfNew(group.name)}
              maxLength={500}
              autocomplete="off"
              value={group.name}
              set={(name) => edit(replaced(groups, at, { ...group, name }))}
            />
            <HowMany group={group} set={(changed) => edit(replaced(groups, at, changed))} />
          </div>
          <Options
            context={context}
            options={group.options}
            edit={(options) => edit(replaced(groups, at, { ...group, options }))}
          />
          <Button
            kind="quiet"
            label={say.removeOf({ name: group.name })}
            onPress={() => edit(groups.filter((_, n) => n !== at))}
            text={say.remove}
          />
        </fieldset>
      ))}
      <Button
        kind={of === undefined ? undefined : 'quiet'}
        {...(of === undefined ? {} : { label: say.addGroupTo({ name: of }) })}
        onPress={() => edit([...groups, newGroup()])}
        text={of === undefined ? say.addGroup : say.addNested}
      />
    </div>
  );
}

const COUNTS = [
  ['min_choice_options', say.atLeast],
  ['max_choice_options', say.atMost],
  ['min_total_units', say.unitsAtLeast],
  ['max_total_units', say.unitsAtMost],
] as const;

/** How many options may be chosen: one, one or none, or other numbers. */
function HowMany({ group, set }: { group: MenuGroup; set: (group: MenuGroup) => void }) {
  const [isOther, setOther] = useState(false);
  const { min_choice_options: min, max_choice_options: max, min_total_units, max_total_units, ...rest } = group;
  const isOne = max === 1 && min_total_units === undefined && max_total_units === undefined;
  const shown = isOne && !isOther ? (min === 0 ? '0' : '1') : '';
  function choose(value: string): void {
    setOther(value === '');
    if (value !== '') set({ ...rest, min_choice_options: Number(value), max_choice_options: 1 });
  }
  return (
    <>
      <Select
        label={say.howMany}
        value={shown}
        set={choose}
        options={[
          ['1', say.one],
          ['0', say.oneOrNone],
          ['', say.otherNumber],
        ]}
      />
      {shown === '' &&
        COUNTS.map(([name, label]) => (
          <Count
            key={name}
            label={label}
            count={group[name]}
            set={(given) => {
              const changed = { ...group, [name]: name.endsWith('units') ? given : (given ?? 0) };
              set(name.startsWith('min') ? withMaximums(changed) : changed);
            }}
          />
        ))}
    </>
  );
}

type OptionsProps = {
  context: ConsoleContext;
  options: readonly MenuOption[];
  edit: (options: readonly MenuOption[]) => void;
};

/** Options of a group. Enter in one adds the next, so that a list is typed without the mouse. */
function Options({ context, options, edit }: OptionsProps) {
  const addByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (options.at(-1)?.name !== '') edit([...options, newOption()]);
  };
  const sorting = useSorting(options, edit);
  return (
    <ul class="menu-options" ref={sorting.rows}>
      {options.map((option, at) => (
        <li key={option.id} class={sorting.markOf(at)}>
          <div class="menu-option">
            <Handle label={say.moveOf({ name: option.name })} {...sorting.handle(at)} />
            <Field
              label={say.option}
              inputRef={focusIfNew(at === 0 ? '-' : option.name)}
              maxLength={500}
              autocomplete="off"
              onKeyDown={addByEnter}
              value={option.name}
              set={(name) => edit(replaced(options, at, { ...option, name }))}
            />
            <Amount
              context={context}
              label={say.extra}
              cents={option.price}
              onKeyDown={addByEnter}
              set={(price) => edit(replaced(options, at, { ...option, price }))}
            />
            <Button
              kind="quiet"
              label={say.removeOf({ name: option.name })}
              onPress={() => edit(options.filter((_, n) => n !== at))}
              text="✕"
            />
          </div>
          {(option.price > 0 || option.tax_class) && (
            <details open={option.tax_class !== undefined}>
              <summary>{say.taxClass}</summary>
              <TaxClassField
                inherited={say.asItem}
                chosen={option.tax_class ?? null}
                set={(tax_class) => edit(replaced(options, at, withTaxClass(option, tax_class)))}
              />
            </details>
          )}
          {option.name !== '' && (
            <Groups
              context={context}
              of={option.name}
              groups={option.customizations}
              edit={(customizations) => edit(replaced(options, at, { ...option, customizations }))}
            />
          )}
        </li>
      ))}
      <li>
        <Button kind="quiet" onPress={() => edit([...options, newOption()])} text={say.addOption} />
      </li>
    </ul>
  );
}

function withTaxClass({ tax_class: _, ...option }: MenuOption, taxClass: TaxClass | null): MenuOption {
  return taxClass === null ? option : { ...option, tax_class: taxClass };
}

/** Focuses a field when it appears, if its text is empty: the newly added one. A copy's name is selected. */
function focusIfNew(text: string, isSelected = false) {
  return (field: HTMLInputElement | null) => {
    if (!field || field.dataset.seen === 'yes') return;
    field.dataset.seen = 'yes';
    if (text === '') field.focus();
    if (isSelected) field.select();
  };
}

export type Limits = { min?: number; max?: number; required?: boolean };
type CountProps = Limits & { label: string; count: number | undefined; set: (count: number | undefined) => void };

/** A whole number; an empty field is undefined. */
export function Count({ count, set, ...field }: CountProps) {
  return (
    <Field
      type="number"
      inputmode="numeric"
      min={0}
      max={10_000}
      {...field}
      value={count ?? ''}
      set={(value) => set(value === '' ? undefined : Math.max(0, Math.round(Number(value) || 0)))}
    />
  );
}

type SetFields = { fields: ItemFields; set: (changes: Partial<ItemFields>) => void };

/** Copies the option groups of another item. */
function CopyOptions({ menu, fields, set }: SetFields & { menu: MenuDesk }) {
  const items = menu.lists.flatMap((list) => list.items).filter((one) => one.customizations.length > 0);
  if (items.length === 0) return null;
  return (
    <Select
      label={say.copyFrom}
      value=""
      set={(id) => {
        const item = items.find((one) => one.item_id === id);
        if (item) set({ customizations: [...fields.customizations, ...copyGroups(item.customizations)] });
      }}
      options={[['', say.copyNone], ...items.map((one) => [one.item_id, one.name] as const)]}
    />
  );
}

const NO_FOOD: Food = { allergens: null, may_contain: null, diets: null, nutrition: null, source: null };

/** Fields that few items need: price for pickup, hours, food facts. */
function More({ context, fields, set }: SetFields & { context: ConsoleContext }) {
  const food = fields.food ?? NO_FOOD;
  const week = fields.hours === null ? null : readHours(fields.hours);
  const setFood = (changes: Partial<Food>) => set({ food: { ...food, ...changes } });
  return (
    <>
      <Amount
        context={context}
        label={say.pickupPrice}
        cents={fields.pickup_price}
        set={(cents) => set({ pickup_price: cents === 0 ? null : cents })}
      />
      <TaxClassField
        inherited={fields.is_alcoholic ? say.taxClasses.alcohol : say.asCategory}
        chosen={fields.tax_class}
        set={(tax_class) => set({ tax_class })}
      />
      {FOOD_LISTS.map(([name, title, all, texts]) => (
        <Checks
          key={name}
          title={title}
          all={all}
          texts={texts}
          chosen={food[name]}
          set={(chosen) => setFood({ [name]: chosen })}
        />
      ))}
      <NutritionFacts facts={food.nutrition ?? {}} set={(nutrition) => setFood({ nutrition })} />
      <Check
        label={say.ownHours}
        isOn={fields.hours !== null}
        set={(isOwn) => set({ hours: isOwn ? formatHours(null) : null })}
      />
      {week?.ok && (
        <WeekEditor format={context.format} week={week.hours} edit={(hours) => set({ hours: formatHours(hours) })} />
      )}
    </>
  );
}

const FOOD_LISTS = [
  ['allergens', say.contains, ALLERGENS, words.terms.allergen],
  ['may_contain', say.mayContain, ALLERGENS, words.terms.allergen],
  ['diets', say.diets, DIETS, say.diet],
] as const;

type ChecksProps = {
  title: string;
  all: readonly string[];
  texts: Readonly<Record<string, string>>;
  chosen: readonly string[] | null;
  set: (chosen: readonly string[] | null) => void;
};

/** Facts unknown while none is checked, unless the feed states that there are none. */
function Checks({ title, all, texts, chosen, set }: ChecksProps) {
  const has = new Set<string>(chosen ?? []);
  function toggle(word: string, isOn: boolean): void {
    const next = all.filter((one) => (one === word ? isOn : has.has(one)));
    set(next.length === 0 ? null : next);
  }
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="choices">
        {all.map((word) => (
          <Check key={word} label={texts[word]} isOn={has.has(word)} set={(isOn) => toggle(word, isOn)} />
        ))}
      </div>
    </fieldset>
  );
}

/** Kilocalories, and nutrients in the units of a label: milligrams where labels have those. */
const NUTRITION_FIELDS = [
  { key: 'calories', unit: '', perUnit: 1 } as const,
  ...NUTRIENTS.map((key) =>
    key === 'cholesterol' || key === 'sodium' ? { key, unit: 'mg', perUnit: 1000 } : { key, unit: 'g', perUnit: 1 },
  ),
];

type NutritionProps = { facts: NonNullable<Food['nutrition']>; set: (facts: Food['nutrition']) => void };

function NutritionFacts({ facts, set }: NutritionProps) {
  return (
    <fieldset>
      <legend>{say.nutrition}</legend>
      <div class="fields">
        {NUTRITION_FIELDS.map(({ key, unit, perUnit }) => {
          const amount = facts[key] ?? null;
          return (
            <Field
              key={key}
              label={unit ? `${say.nutrients[key]} (${unit})` : say.nutrients[key]}
              type="number"
              inputmode="decimal"
              min={0}
              step="any"
              defaultValue={amount === null ? '' : String(Number((amount * perUnit).toFixed(3)))}
              set={(typed) => set({ ...facts, [key]: typed === '' ? null : Number(typed) / perUnit })}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

/** Amounts as they are typed; an empty one is the service's default. */
const AMOUNTS = ['price_per', 'step', 'min', 'max', 'piece_weight'] as const;

type WeightFieldsProps = { fields: ItemFields; set: (changes: Partial<ItemFields>) => void };

/** Whether an item is sold by the piece or by weight, and how. */
function WeightFields({ fields: { weight }, set }: WeightFieldsProps) {
  const edit = (changes: Partial<TypedWeight>) => weight && set({ weight: { ...weight, ...changes } });
  const choose = (unit: WeightUnit | undefined) =>
    set({
      unit_size: null,
      unit_of_measurement: '',
      sold_by: unit ? 'weight' : null,
      weight: unit ? { unit, scale_code: weight?.scale_code } : null,
    });
  return (
    <>
      <Select
        label={say.soldBy}
        value={weight?.unit ?? ''}
        set={(value) => choose(value || undefined)}
        options={[['', say.byPiece] as const, ...WEIGHT_UNITS.map((unit) => [unit, say.byWeight({ unit })] as const)]}
      />
      {weight && (
        <div class="fields">
          {AMOUNTS.map((name) => (
            <Field
              key={name}
              label={`${say.weights[name]} (${weight.unit})`}
              inputmode="decimal"
              autocomplete="off"
              maxLength={10}
              value={weight[name] ?? ''}
              set={(text) => edit({ [name]: text === '' ? undefined : typedWeight(text) })}
            />
          ))}
          <Field
            label={say.weights.tolerance}
            type="number"
            inputmode="numeric"
            min={0}
            max={25}
            value={weight.tolerance_percent ?? ''}
            set={(text) => edit({ tolerance_percent: text === '' ? undefined : Number(text) })}
          />
          <Field
            label={say.weights.scaleCode}
            inputmode="numeric"
            autocomplete="off"
            maxLength={12}
            value={weight.scale_code ?? ''}
            set={(scale_code) => edit({ scale_code })}
          />
        </div>
      )}
    </>
  );
}
