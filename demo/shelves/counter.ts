import type { Departments } from './departments.ts';

export const COUNTER: Departments = {
  Drinks: {
    'Water and Soda': {
      Water: [
        'Spring water|24 ct|5.99',
        'Sparkling water, lime|8 ct|4.49',
        'Sparkling water, grapefruit|8 ct|4.49',
        'Spring water, bottle|33.8 fl oz|1.49',
      ],
      Soda: [
        'Fizzwell cola|12 ct|6.99',
        'Fizzwell diet cola|12 ct|6.99',
        'Fizzwell ginger ale|12 ct|6.99',
        'Fizzwell root beer|12 ct|6.99',
        'Fizzwell cola, bottle|20 fl oz|2.29',
      ],
    },
    'Juice and Sports': {
      Juice: ['Orange juice|52 fl oz|4.99', 'Apple juice|64 fl oz|3.49', 'Cranberry juice|64 fl oz|3.99'],
      'Sports and energy': ['Trailhead sports drink, lemon|28 fl oz|1.99', 'Trailhead energy drink|12 fl oz|2.79'],
    },
    'Coffee and Tea': {
      Coffee: [
        'Night Ferry ground coffee|12 oz|8.99',
        'Night Ferry whole beans|12 oz|9.99',
        'Night Ferry instant coffee|7 oz|6.99',
        'Cold brew, bottle|11 fl oz|3.79',
      ],
      Tea: ['Black tea|20 ct|3.49', 'Green tea|20 ct|3.79', 'Chamomile tea|20 ct|3.79'],
    },
    'Beer and Wine': {
      Beer: ['!Lamplight lager|6 ct|9.99', '!Lamplight pale ale|6 ct|10.99'],
      Wine: ['!Stonepath red wine|25.4 fl oz|12.99', '!Stonepath white wine|25.4 fl oz|11.99'],
    },
  },
  Snacks: {
    Salty: {
      Chips: [
        'Ridgeway sea salt chips|8 oz|3.99',
        'Ridgeway barbecue chips|8 oz|3.99',
        'Ridgeway tortilla chips|12 oz|4.29',
        'Popcorn|5 oz|3.49',
        'Pretzels|16 oz|3.79',
      ],
      'Nuts and dips': [
        'Roasted almonds|10 oz|6.99',
        'Salted peanuts|16 oz|3.99',
        'Trail mix|10 oz|5.49',
        'Salsa, medium|16 oz|3.79',
        'Hummus|10 oz|4.29',
      ],
    },
    Sweets: {
      Chocolate: [
        'Cocoa Row milk chocolate|3.5 oz|2.99',
        'Cocoa Row dark chocolate|3.5 oz|3.29',
        'Cocoa Row hazelnut bar|1.5 oz|1.69',
      ],
      Candy: ['Gummy bears|7 oz|2.49', 'Peppermints|6 oz|1.99'],
      'Crackers and bars': ['Wheat crackers|9 oz|3.49', 'Graham crackers|14 oz|3.79', 'Granola bars|6 ct|3.99'],
    },
  },
  Household: {
    Cleaning: {
      Laundry: ['Brightside laundry detergent|92 fl oz|11.99', 'Brightside dryer sheets|80 ct|5.49'],
      Kitchen: [
        'Brightside dish soap|16 fl oz|2.99',
        'Brightside dishwasher tablets|30 ct|8.99',
        'Sponges|6 ct|3.99',
        'All-purpose cleaner|32 fl oz|3.79',
      ],
    },
    'Paper and Bags': {
      Paper: ['Softwood bath tissue|12 ct|9.99', 'Softwood paper towels|6 ct|8.99', 'Softwood facial tissue|3 ct|4.99'],
      'Bags and wrap': ['Trash bags|40 ct|8.49', 'Sandwich bags|100 ct|3.79', 'Aluminum foil|75 ct|5.49'],
    },
    'Personal Care': {
      Bath: ['Hand soap|12 fl oz|2.99', 'Shampoo|13 fl oz|5.49', 'Toothpaste|5 oz|3.79', 'Toothbrushes|2 ct|4.49'],
      Health: ['Bandages|40 ct|4.29', 'Cough drops|30 ct|2.99', 'Ibuprofen|100 ct|8.49'],
      Baby: ['Diapers, size 3|30 ct|11.99', 'Baby wipes|72 ct|3.49'],
    },
    Pets: {
      Dogs: ['Dry dog food|15 lb|21.99', 'Dog treats|10 oz|5.99'],
      Cats: ['Dry cat food|7 lb|15.99', 'Wet cat food|12 ct|10.99', 'Cat litter|20 lb|11.99'],
    },
  },
};
