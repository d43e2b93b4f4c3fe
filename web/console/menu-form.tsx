import { useState } from 'preact/hooks';
import { ALLERGENS, DIETS, NUTRIENTS } from '../../src/supply/catalog/food.ts';
import { typedWeight, WEIGHT_UNITS, type WeightUnit } from '../../src/supply/pricing/weight.ts';
import { formatHours } from '../../src/supply/stores/format-hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import { menu as say, store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Check, Checks, Field, Form, Select } from '../field.tsx';
import type { ConsoleContext } from './console-context.ts';
import { Amount, Count, TaxClassField } from './fields.tsx';
import {
  copyGroups,
  type Food,
  type ItemFields,
  type MenuItem,
  type SetFields,
  type TypedWeight,
} from './menu-editing.ts';
import { Alert } from './notices.tsx';
import { CopyOptions, focusIfNew, namedGroups, OptionGroups } from './option-groups.tsx';
import { Page } from './panel.tsx';
import { PhotoField } from './photo-field.tsx';
import type { MenuDesk } from './use-menu.ts';
import { WeekEditor } from './week-editor.tsx';

/* The form of a menu item: name, price, category, weight, photo, and the details that few items need. */

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
    const customizations = namedGroups(fields.customizations);
    const body = { category_id: home, item: { ...fields, customizations, tax_class: fields.tax_class ?? '' } };
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
        <OptionGroups
          context={context}
          groups={fields.customizations}
          edit={(customizations) => set({ customizations })}
        />
        <CopyOptions lists={menu.lists} fields={fields} set={set} />
        <details>
          <summary>{say.more}</summary>
          <ItemDetails context={context} fields={fields} set={set} />
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

/** Amounts as they are typed; an empty one is the service's default. */
const AMOUNTS = ['price_per', 'step', 'min', 'max', 'piece_weight'] as const;

/** Whether an item is sold by the piece or by weight, and how. */
function WeightFields({ fields: { weight }, set }: SetFields) {
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
          <Count
            label={say.weights.tolerance}
            max={25}
            count={weight.tolerance_percent}
            set={(tolerance_percent) => edit({ tolerance_percent })}
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

const NO_FOOD: Food = { allergens: null, may_contain: null, diets: null, nutrition: null, source: null };

/** Fields that few items need: price for pickup, hours, food facts. */
function ItemDetails({ context, fields, set }: SetFields & { context: ConsoleContext }) {
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
        <fieldset key={name}>
          <legend>{title}</legend>
          <Checks
            options={all.map((one) => [one, texts[one] ?? one] as const)}
            chosen={food[name] ?? []}
            set={(chosen) => setFood({ [name]: chosen.length === 0 ? null : chosen })}
          />
        </fieldset>
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

type FoodList = 'allergens' | 'may_contain' | 'diets';
/** Unknown while none is checked, unless the feed states that there are none. */
const FOOD_LISTS: readonly [FoodList, string, readonly string[], Readonly<Record<string, string>>][] = [
  ['allergens', say.contains, ALLERGENS, words.food.allergen],
  ['may_contain', say.mayContain, ALLERGENS, words.food.allergen],
  ['diets', say.diets, DIETS, say.diet],
];

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
