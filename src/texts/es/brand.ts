import type { Words } from '../../platform/languages/words.ts';
import type { brand as english } from '../en/brand.ts';

export const brand = {
  title: 'Tu marca',
  hint: 'Tu marca aparece en tu página de pedidos, en los correos y en la página de seguimiento. La vista previa muestra cada cambio antes de guardarlo.',
  name: 'Nombre',
  welcome: 'Frase de bienvenida',
  logo: 'Logo',
  cover: 'Portada',
  color: 'Color',
  corners: 'Esquinas',
  cornersOf: { soft: 'Suaves', square: 'Rectas', round: 'Redondas' },
  fonts: 'Tipografía',
  fontsOf: {
    system: 'La del dispositivo',
    modern: 'Moderna (Outfit)',
    classic: 'Clásica (Lora)',
    friendly: 'Amable (Nunito)',
    market: 'Mercado (Bitter)',
  },
  contrast: {
    buttons: ({ ratio }) => `Los botones tienen un contraste de ${ratio}.`,
    text: ({ ratio }) => `El texto tiene ${ratio}.`,
    textAs: ({ ratio, color }) => `El texto tiene ${ratio}, en ${color}.`,
    dark: ({ ratio }) => `En modo oscuro, el texto tiene ${ratio}.`,
    darkAs: ({ ratio, color }) => `En modo oscuro, el texto tiene ${ratio}, en ${color}.`,
    kept: 'Nunca baja de 4.5:1.',
  },
  save: 'Guardar la marca',
  saved: 'Marca guardada.',
  dish: 'Margherita',
  dishText: 'Tomate, mozzarella, albahaca',
  offer: '10% de descuento',
  checkout: 'Ir a pagar',
} satisfies Words<typeof english>;
