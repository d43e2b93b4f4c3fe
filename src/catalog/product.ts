/** A choice of a customization. Prices are whole cents of the store's currency, per unit chosen. */
export type Option = {
  id: string;
  name: string;
  price: number;
  defaultQty: number;
  minQty: number;
  maxQty: number;
  /** Price instead of `price` when the option named by the key is chosen too; the highest if several are. */
  conditionalPrice: Readonly<Record<string, number>>;
  customizations: readonly Customization[];
};

/** A question a product asks; its bounds count distinct chosen options. */
export type Customization = {
  id: string;
  name: string;
  minChoiceOptions: number;
  maxChoiceOptions: number;
  options: readonly Option[];
};

/** The two ways an order reaches its customer; prices, hours and fees may differ between them. */
export type Mode = 'delivery' | 'pickup';
