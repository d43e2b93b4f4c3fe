import type { Departments } from './departments.ts';

export const PANTRY: Departments = {
  Pantry: {
    'Pasta and Rice': {
      Pasta: [
        'Campo spaghetti|16 oz|1.79',
        'Campo penne|16 oz|1.79',
        'Campo lasagne sheets|12 oz|2.49',
        'Campo gluten-free fusilli|12 oz|3.49',
      ],
      'Rice and grains': [
        'Paddy Lane long grain rice|32 oz|3.29',
        'Paddy Lane basmati rice|32 oz|5.49',
        'Paddy Lane brown rice|32 oz|3.79',
        'Quinoa|16 oz|5.29',
        'Red lentils|16 oz|2.79',
      ],
      'Asian noodles': ['Rice noodles|14 oz|2.99', 'Ramen, miso|4 ct|3.49', 'Udon|7 oz|1.99'],
    },
    'Cans and Jars': {
      Tomatoes: [
        'Campo crushed tomatoes|28 oz|2.49',
        'Campo whole tomatoes|28 oz|2.49',
        'Campo marinara sauce|24 oz|4.29',
        'Campo tomato paste|6 oz|1.19',
      ],
      Beans: ['Black beans|15 oz|1.29', 'Chickpeas|15 oz|1.29', 'Pinto beans|15 oz|1.29', 'Kidney beans|15 oz|1.29'],
      Fish: [
        'Harbor Line tuna in water|5 oz|1.79',
        'Harbor Line tuna in oil|5 oz|1.99',
        'Harbor Line sardines|4 oz|2.49',
      ],
      Soup: [
        'Chicken noodle soup|18 oz|2.99',
        'Tomato soup|10 oz|1.49',
        'Vegetable broth|32 oz|2.79',
        'Chicken broth|32 oz|2.79',
      ],
    },
    Baking: {
      'Flour and sugar': [
        'Millstone all-purpose flour|5 lb|3.79',
        'Millstone bread flour|5 lb|4.99',
        'Granulated sugar|4 lb|3.79',
        'Brown sugar|2 lb|2.79',
      ],
      'Baking needs': [
        'Baking powder|8 oz|2.29',
        'Vanilla extract|2 fl oz|6.99',
        'Dark chocolate chips|10 oz|4.29',
        'Dry yeast|3 ct|1.99',
      ],
    },
    'Oil and Spice': {
      'Oil and vinegar': [
        'Olivera extra virgin olive oil|16.9 fl oz|9.99',
        'Canola oil|48 fl oz|5.79',
        'Balsamic vinegar|16.9 fl oz|5.49',
        'White vinegar|32 fl oz|2.29',
      ],
      Spices: [
        'Sea salt|26 oz|2.49',
        'Black peppercorns|2 oz|4.49',
        'Ground cumin|2 oz|3.29',
        'Smoked paprika|2 oz|3.99',
        'Cinnamon|2 oz|3.49',
      ],
      Condiments: [
        'Ketchup|20 oz|3.49',
        'Yellow mustard|14 oz|1.99',
        'Mayonnaise|30 oz|5.49',
        'Soy sauce|15 fl oz|3.29',
        'Hot sauce|5 fl oz|2.49',
      ],
    },
    Breakfast: {
      Cereal: [
        'Morning Post corn flakes|18 oz|3.99',
        'Morning Post oat rings|12 oz|4.29',
        'Morning Post granola, honey almond|12 oz|4.99',
        'Rolled oats|42 oz|4.99',
      ],
      'Spreads and syrup': [
        'Peanut butter, smooth|16 oz|3.49',
        'Peanut butter, crunchy|16 oz|3.49',
        'Strawberry jam|18 oz|3.99',
        'Honey|12 oz|5.49',
        'Maple syrup|12 fl oz|8.99',
      ],
    },
  },
  Frozen: {
    'Frozen Meals': {
      Pizza: ['Hearthside margherita pizza|15 oz|6.49', 'Hearthside pepperoni pizza|16 oz|6.99'],
      'Meals and sides': [
        'Vegetable lasagne|10 oz|4.49',
        'Chicken pot pie|10 oz|4.29',
        'French fries|32 oz|4.49',
        'Potstickers|20 oz|6.99',
      ],
    },
    'Frozen Fruit and Vegetables': {
      Vegetables: [
        'Frozen peas|16 oz|2.29',
        'Frozen corn|16 oz|2.29',
        'Frozen spinach|12 oz|2.49',
        'Edamame|12 oz|2.99',
      ],
      Fruit: ['Frozen mixed berries|16 oz|5.49', 'Frozen mango|16 oz|4.49'],
    },
    'Ice Cream': {
      Tubs: [
        'Snowbank vanilla ice cream|48 fl oz|5.99',
        'Snowbank chocolate ice cream|48 fl oz|5.99',
        'Snowbank lemon sorbet|16 fl oz|4.99',
      ],
      'Bars and cones': ['Snowbank fudge bars|6 ct|4.49', 'Snowbank ice cream sandwiches|6 ct|4.79'],
    },
  },
};
