import type { Departments } from './departments.ts';

export const FRESH: Departments = {
  Produce: {
    Fruit: {
      'Apples and pears': [
        '~Gala apples|1 lb|1.79|0.4',
        '~Honeycrisp apples|1 lb|2.99|0.5',
        '~Bartlett pears|1 lb|1.99|0.42',
        'Granny Smith apples, bag|3 lb|4.49',
      ],
      Citrus: [
        '~Navel orange|1 ct|0.99',
        '~Lemon|1 ct|0.69',
        '~Lime|1 ct|0.49',
        'Clementines, bag|2 lb|5.49',
        '~Grapefruit|1 ct|1.29',
      ],
      Berries: ['Strawberries|16 oz|4.99', 'Blueberries|6 oz|3.99', 'Raspberries|6 oz|4.29', 'Blackberries|6 oz|3.79'],
      'Bananas and tropical': [
        '~Bananas|1 lb|0.69|0.367',
        '~Mango|1 ct|1.49',
        '~Pineapple|1 ct|3.99',
        '~Avocado|1 ct|1.59',
        '~Kiwi|1 ct|0.59',
      ],
    },
    Vegetables: {
      'Salad greens': [
        'Baby spinach|5 oz|3.49',
        'Romaine hearts|3 ct|3.99',
        'Spring mix|5 oz|3.79',
        '~Green leaf lettuce|1 ct|2.29',
      ],
      'Roots and onions': [
        '~Yellow onions|1 lb|1.19|0.5',
        '~Carrots|1 lb|1.29|0.15',
        'Russet potatoes, bag|5 lb|4.99',
        '~Garlic|1 ct|0.79',
        '~Sweet potatoes|1 lb|1.49|0.55',
      ],
      'Tomatoes and peppers': [
        '~Roma tomatoes|1 lb|1.69|0.22',
        'Cherry tomatoes|10 oz|3.49',
        '~Red bell pepper|1 ct|1.49',
        '~Jalapeños|1 lb|1.99|0.06',
      ],
      'Broccoli and greens': [
        '~Broccoli crowns|1 lb|2.29|0.5',
        '~Cauliflower|1 ct|3.99',
        'Kale|1 ct|2.49',
        '~Green beans|1 lb|2.79',
      ],
      Herbs: ['Basil|0.75 oz|2.49', 'Cilantro|1 ct|0.99', 'Parsley|1 ct|1.19', 'Thyme|0.5 oz|2.29'],
    },
  },
  'Dairy and Eggs': {
    Milk: {
      'Dairy milk': [
        'Meadowlark whole milk|64 fl oz|3.99',
        'Meadowlark whole milk|128 fl oz|5.79',
        'Meadowlark 2% milk|64 fl oz|3.99',
        'Meadowlark skim milk|64 fl oz|3.89',
        'Meadowlark chocolate milk|32 fl oz|3.29',
      ],
      'Plant milk': [
        'Oatfield oat milk|64 fl oz|4.79',
        'Oatfield barista oat milk|32 fl oz|4.29',
        'Grovehill almond milk|64 fl oz|3.99',
        'Grovehill soy milk|64 fl oz|3.79',
      ],
      Cream: [
        'Meadowlark heavy cream|16 fl oz|4.49',
        'Meadowlark half and half|32 fl oz|3.99',
        'Meadowlark sour cream|16 oz|2.79',
      ],
    },
    'Cheese and Butter': {
      'Block cheese': [
        'Tin Roof sharp cheddar|8 oz|4.29',
        'Tin Roof mozzarella|16 oz|5.99',
        'Tin Roof Monterey jack|8 oz|4.19',
        'Tin Roof parmesan wedge|6 oz|7.49',
      ],
      'Sliced and shredded': [
        'Tin Roof sliced provolone|8 oz|4.49',
        'Tin Roof shredded Mexican blend|8 oz|3.99',
        'Tin Roof cream cheese|8 oz|3.29',
      ],
      Butter: [
        'Meadowlark salted butter|16 oz|5.49',
        'Meadowlark unsalted butter|16 oz|5.49',
        'Grovehill plant spread|13 oz|3.99',
      ],
    },
    'Eggs and Yogurt': {
      Eggs: ['Henhouse large eggs|12 ct|3.79', 'Henhouse large eggs|18 ct|5.29', 'Henhouse free-range eggs|12 ct|5.99'],
      Yogurt: [
        'Meadowlark plain yogurt|32 oz|4.49',
        'Meadowlark vanilla yogurt|32 oz|4.49',
        'Meadowlark Greek yogurt, strawberry|5.3 oz|1.49',
        'Meadowlark Greek yogurt, honey|5.3 oz|1.49',
      ],
    },
  },
  'Meat and Fish': {
    Meat: {
      Chicken: [
        '~Chicken breast|1 lb|4.99',
        '~Chicken thighs|1 lb|3.49',
        'Whole chicken|4 lb|9.99',
        'Ground chicken|16 oz|5.99',
      ],
      Beef: [
        'Ground beef, 85% lean|16 oz|6.99',
        '~Chuck roast|1 lb|7.99',
        '~Ribeye steak|1 lb|16.99',
        'Stew beef|16 oz|8.49',
      ],
      Pork: ['~Pork chops|1 lb|4.79', 'Smokehouse bacon|12 oz|7.49', 'Breakfast sausage|12 oz|5.29'],
    },
    Fish: {
      'Fresh fish': ['~Atlantic salmon fillet|1 lb|12.99', '~Cod fillet|1 lb|10.99', '~Tilapia fillet|1 lb|7.99'],
      Shellfish: ['Peeled shrimp|16 oz|11.99', '~Mussels|1 lb|4.99'],
    },
    Deli: {
      'Cold cuts': ['Sliced turkey|9 oz|5.99', 'Black Forest ham|9 oz|5.49', 'Genoa salami|8 oz|6.29'],
      'Meat free': [
        'Grovehill firm tofu|14 oz|2.99',
        'Grovehill tempeh|8 oz|3.49',
        'Grovehill plant burgers|2 ct|5.49',
      ],
    },
  },
  Bakery: {
    Bread: {
      'Sliced bread': [
        'Millstone white bread|20 oz|2.99',
        'Millstone whole wheat bread|20 oz|3.49',
        'Millstone multigrain bread|24 oz|4.29',
        'Millstone rye bread|16 oz|3.99',
      ],
      'Rolls and flatbread': [
        'Burger buns|8 ct|3.49',
        'Flour tortillas|10 ct|3.29',
        'Corn tortillas|30 ct|2.99',
        'Pita|6 ct|2.99',
        'Plain bagels|6 ct|3.99',
      ],
    },
    Sweet: {
      'Cakes and pastry': [
        'Butter croissants|4 ct|5.49',
        'Blueberry muffins|4 ct|4.99',
        'Cinnamon rolls|4 ct|4.79',
        'Carrot cake|24 oz|12.99',
      ],
      Cookies: ['Chocolate chip cookies|12 ct|4.49', 'Oatmeal raisin cookies|12 ct|4.49'],
    },
  },
};

/** The last department, so that earlier ones stay as they are. */
export const DELI: Departments = {
  'Deli Counter': {
    'Sliced to Order': {
      Meat: [
        '~Oven-roasted turkey, sliced|1 lb|10.99',
        '~Rosemary ham, sliced|1 lb|9.99',
        '~Pastrami, sliced|1 lb|13.49',
      ],
      Cheese: ['~Provolone, sliced|1 lb|8.99', '~Swiss cheese, sliced|1 lb|9.49'],
    },
    'Ready to Eat': {
      Salads: ['~Potato salad|1 lb|5.49', '~Greek salad|1 lb|8.49'],
      'Hot bar': ['~Hot bar|1 lb|10.99'],
    },
  },
};
