import type { Words } from '../../platform/languages/words.ts';
import type { agent as english } from '../en/agent.ts';

export const agent = {
  busy: ({ time }: { time: string }) => `Trop de demandes. Attendez ${time}, puis réessayez.`,
  place: {
    choose: 'Choisissez un établissement : search_locations près du client, puis envoyez son id.',
    unknown: 'Cet établissement n’est pas offert ici. Choisissez-en un avec search_locations.',
    approximate: 'Ces établissements livrent au cœur de ce code postal. C’est votre adresse qui compte.',
    tooMany: ({ read, of }) => `Seuls les ${read} premiers établissements sur ${of} ont été consultés.`,
  },
  catalog: {
    noProduct: 'Ce produit n’existe pas.',
    defaults: 'Avec ses choix habituels.',
    delivery: 'Livré aux adresses près de l’établissement.',
    pickup: ({ store }) => `Prêt pour la cueillette chez ${store}.`,
    filter: ({ name }) => `Il n’y a pas de filtre ${name} ici : il n’a rien changé.`,
    relaxed: ({ list }) => `Aucun produit n’a tous les mots\u00a0: la recherche a laissé de côté ${list}.`,
  },
  cart: {
    unknown: 'Ce panier n’existe pas ou a expiré.',
    estimate: 'La livraison, les frais et les taxes s’ajoutent à la commande.',
    merged: 'Le même article y était deux fois; c’est maintenant une seule ligne.',
    sizedByPiece: 'Cet article se vend à l’unité.',
    sizedByWeight: ({ unit }) => `Cet article se vend au poids, en ${unit}.`,
    stepped: ({ product, left }) => `${product} se vend par paliers : le panier en contient ${left}.`,
    converted: ({ product, left }) => `${product} se vend dans une autre unité : le panier en contient ${left}.`,
    soldOut: ({ product, store }) => `${product} est épuisé chez ${store}.`,
    otherStore: ({ store }) => `Cet article est vendu par ${store}; commencez un autre panier.`,
    needsChoices: ({ product }) => `Choisissez les options de ${product} sur sa page.`,
    lowered: ({ product, left }) => `${product} : on peut en commander ${left}, c’est donc ce que contient le panier.`,
    minimum: ({ store, missing }) => `Ajoutez ${missing} pour commander chez ${store}.`,
    alternatives: ({ list }) => `À la place, il y a ${list}.`,
    optionsOff: ({ options }) => `Pas en vente en ce moment : ${options}.`,
  },
  order: {
    unknown: 'Cette commande n’existe pas.',
    signIn: 'Connectez-vous pour continuer.',
    cancel: ({ link }) => `Vous pouvez encore annuler cette commande : ${link}`,
  },
  checkout: {
    where: 'Où faut-il livrer?',
    oneMethod: 'Choisissez une seule façon de recevoir la commande.',
    slotGone: 'Cette plage horaire n’est plus offerte. Choisissez-en une autre.',
    noAddress: 'Nous ne trouvons pas cette adresse. Envoyez-la avec son numéro de rue.',
    abroad: 'La livraison se fait aux États-Unis et au Canada seulement.',
    over: 'Cette commande est terminée. Commencez-en une autre.',
    signIn: 'Connectez-vous pour payer avec une carte enregistrée.',
    tipLater: 'Vous pourrez laisser un pourboire au moment de payer, ou une fois la commande passée.',
    newPrice: ({ product, price }) => `${product} coûte ${price} de cette façon.`,
    overLimit: ({ limit }) =>
      `Le total dépasse les ${limit} que votre agent peut dépenser par commande. Vérifiez et passez la commande vous-même.`,
    tooMany: 'Vos agents ont atteint leur limite de commandes pour aujourd’hui. Passez celle-ci vous-même.',
  },
} satisfies Words<typeof english>;
