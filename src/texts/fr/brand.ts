import type { Words } from '../../platform/languages/words.ts';
import type { brand as english } from '../en/brand.ts';

export const brand = {
  title: 'Votre marque',
  hint: 'Votre marque apparaît sur votre page de commande, dans les courriels et sur la page de suivi. L’aperçu montre chaque changement avant l’enregistrement.',
  name: 'Nom',
  welcome: 'Mot de bienvenue',
  logo: 'Logo',
  cover: 'Image de couverture',
  color: 'Couleur',
  corners: 'Coins',
  cornersOf: { soft: 'Doux', square: 'Carrés', round: 'Ronds' },
  fonts: 'Polices',
  fontsOf: {
    system: 'Par défaut de l’appareil',
    modern: 'Moderne (Outfit)',
    classic: 'Classique (Lora)',
    friendly: 'Chaleureuse (Nunito)',
    market: 'Marché (Bitter)',
  },
  contrast: {
    buttons: ({ ratio }) => `Les boutons ont un contraste de ${ratio}.`,
    text: ({ ratio }) => `Le texte a ${ratio}.`,
    textAs: ({ ratio, color }) => `Le texte a ${ratio}, en ${color}.`,
    dark: ({ ratio }) => `En mode sombre, le texte a ${ratio}.`,
    darkAs: ({ ratio, color }) => `En mode sombre, le texte a ${ratio}, en ${color}.`,
    kept: 'Il ne descend jamais sous 4,5:1.',
  },
  save: 'Enregistrer la marque',
  saved: 'Marque enregistrée.',
  dish: 'Margherita',
  dishText: 'Tomate, mozzarella, basilic',
  offer: '10 % de rabais',
  checkout: 'Passer à la caisse',
} satisfies Words<typeof english>;
