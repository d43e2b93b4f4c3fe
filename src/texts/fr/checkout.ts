import type { Words } from '../../platform/languages/words.ts';
import type { checkout as english } from '../en/checkout.ts';
import { promoCode } from './promo-code.ts';

/* Texts of the hosted checkout in French. */

export const checkout = {
  promoCode,
  page: {
    title: 'Paiement',
    description: 'Vérifiez votre commande et payez.',
    test: 'Commande d’essai\u00a0: aucune carte ne sera débitée, et rien ne sera préparé ni livré.',
    error: ({ title }) => `Erreur\u00a0: ${title}`,
  },
  place: {
    pickUpAt: 'Lieu de cueillette',
    recipient: 'Au nom de',
    arrivesIn: 'Livraison dans',
    readyIn: 'Prête dans',
    dropoffNotes: 'Instructions de livraison',
    alcohol: 'Alcool',
    showId: ({ age }) => `Montrez une pièce d’identité\u00a0: au moins ${age} ans`,
    ofAge: ({ age }) => `J’ai au moins ${age} ans`,
    pickupNotes: 'Instructions de cueillette',
  },
  amounts: {
    items: 'Vos articles',
    caption: 'Sommaire de la commande',
    otherFees: 'Autres frais',
    total: 'Total',
    estimated: 'Total estimé',
    atMost: ({ store }: { store: string }) => `${store}, au maximum`,
  },
  changes: {
    title: 'Votre total a changé',
    cart: 'Votre commande a été modifiée entre-temps. Vérifiez-la avant de la passer.',
    total: ({ before, after }) =>
      `Il était de ${before}; il est maintenant de ${after}. C’est ce que vous paierez si vous passez la commande.`,
    line: ({ name, before, after }) => `${name}\u00a0: ${after} (avant\u00a0: ${before})`,
    moved: ({ store, address }) =>
      `Votre commande vient maintenant d’une autre succursale\u00a0: ${store}, ${address}.`,
  },
  faults: {
    title: 'Impossible de passer cette commande telle quelle',
    product: ({ product }) => `${product} n’est plus disponible.`,
    fewLeft: ({ product, left }) => `${product}\u00a0: il n’en reste que ${left}.`,
    options: ({ product }) => `Les options choisies pour ${product} ne sont plus disponibles.`,
    closed: ({ store }) => `C’est fermé en ce moment chez ${store}.`,
    noDelivery: ({ store }) => `${store} n’accepte pas de commandes pour livraison en ce moment.`,
    noPickup: ({ store }) => `${store} n’accepte pas de commandes pour cueillette en ce moment.`,
    outOfRange: ({ store }) => `${store} ne livre pas à votre adresse.`,
    notAvailable: ({ store }) => `${store} n’accepte pas de commandes en ce moment.`,
    slot: ({ time }) => `La plage horaire choisie n’est plus disponible\u00a0: ${time}.`,
    minimum: ({ store }) => `Votre commande n’atteint pas le minimum chez ${store}.`,
    address: 'Votre adresse de livraison est incomplète.',
    inPerson: 'Une commande avec de l’alcool ou payée comptant ne peut pas être laissée à la porte.',
    other: 'Quelque chose a changé dans votre commande.',
    back: 'Modifier votre commande',
    noBack: 'Pour la modifier, retournez là où vous avez commencé votre commande. Rien ne vous a été facturé.',
  },
  contact: {
    title: 'Vos coordonnées',
    name: 'Nom',
    email: 'Courriel',
    emailHint: 'Nous y enverrons votre reçu.',
    phone: 'Téléphone',
    phoneHint: 'Pour vous tenir au courant de votre commande.',
    keep: 'Garder mes coordonnées sur cet appareil',
    check: 'Vérifiez vos coordonnées',
    noName: 'Entrez votre nom.',
    badEmail: 'Entrez une adresse courriel, par exemple nom@exemple.com.',
    badPhone:
      'Entrez un numéro de téléphone avec l’indicatif régional, par exemple 514 555-0123, ou avec + et l’indicatif du pays.',
    noAge: 'Cochez la case pour indiquer que vous avez l’âge requis pour l’alcool de votre commande.',
  },
  tip: {
    title: 'Ajouter un pourboire',
    none: 'Aucun',
    amount: 'Autre montant',
    set: 'Appliquer',
    badAmount: 'Entrez un montant, par exemple 5,00.',
  },
  card: {
    title: 'Mode de paiement',
    shown: ({ brand, last4 }) => `${brand} se terminant par ${last4}`,
    anyBrand: 'Carte',
    add: 'Ajouter une carte',
    other: 'Utiliser une autre carte',
    again: ({ card }) => `Réessayer\u00a0: ${card}`,
    saved: 'Vos cartes enregistrées',
    signIn: 'Se connecter pour payer avec une carte enregistrée',
    missing: 'Ajoutez une carte pour passer votre commande.',
    canceled: 'Vous n’avez pas ajouté de carte.',
    pending: 'Votre carte est en cours d’enregistrement. Actualisez cette page dans un instant.',
    leaving: 'Nous vous dirigeons vers la page sécurisée…',
    next: 'Continuer',
    cash: 'Payer comptant à la porte',
    cashAtPickup: 'Payer comptant à la cueillette',
  },
  payment: {
    noCash: 'Cette commande ne peut pas être payée comptant.',
    declined: 'Votre carte a été refusée. Rien ne vous a été facturé. Essayez une autre carte.',
    insufficientFunds:
      'Les fonds de votre carte sont insuffisants. Rien ne vous a été facturé. Essayez une autre carte.',
    expired: 'Votre carte est expirée. Rien ne vous a été facturé. Essayez une autre carte.',
    wrongCode:
      'Le code de sécurité de votre carte est erroné. Rien ne vous a été facturé. Ajoutez la carte de nouveau.',
    notApproved:
      'Votre banque n’a pas approuvé le paiement. Rien ne vous a été facturé. Réessayez ou utilisez une autre carte.',
    tooMany: 'Trop de cartes ont été refusées. Réessayez dans une heure.',
    unreachable:
      'Nous n’avons pas encore pu conclure votre paiement. Réessayez dans un instant. Vous ne paierez pas deux fois.',
    busy: 'Nous traitons déjà votre commande. Réessayez dans un instant. Vous ne paierez pas deux fois.',
    approveTitle: 'Confirmez auprès de votre banque',
    approve: ({ total }) => `Votre banque veut s’assurer que c’est bien vous avant que vous payiez ${total}.`,
    toBank: 'Continuer vers votre banque',
    back: 'Retour au paiement',
  },
  finish: {
    place: ({ total }) => `Passer la commande – ${total}`,
    accept: ({ total }) => `Accepter ${total} et commander`,
    addCard: 'Ajouter une carte pour continuer',
    placing: 'Traitement de votre commande…',
    cancel: 'Annuler',
    agree: 'En passant la commande, vous acceptez ces conditions\u00a0:',
    terms: 'Conditions d’utilisation',
    privacy: 'Politique de confidentialité',
  },
  repeat: {
    title: 'Commander la même chose?',
    detail: ({ store }) =>
      `Nous reprendrons les mêmes articles chez ${store}, aux prix d’aujourd’hui. Vous verrez le total avant de payer.`,
    go: 'Continuer vers le paiement',
    leftOut: ({ items }) => `Laissé de côté, faute de disponibilité\u00a0: ${items}.`,
    cannot: 'Impossible de commander de nouveau en ce moment',
  },
  refused: {
    busyTitle: 'Trop de tentatives',
    busy: 'Attendez quelques minutes, puis réessayez.',
    unreadableTitle: 'L’envoi n’a pas fonctionné',
    unreadable: 'Vérifiez ce que vous avez saisi, puis réessayez.',
    unavailableTitle: 'Un problème est survenu de notre côté',
    unavailable: 'Réessayez dans un instant.',
    notTwice: 'Vous ne paierez pas deux fois.',
  },
  ended: {
    placedTitle: 'Vous avez déjà passé cette commande',
    placed: 'Vous pouvez la suivre sur sa page de suivi.',
    expiredTitle: 'Cette page de paiement est expirée',
    expired:
      'Retournez là où vous avez commencé votre commande pour obtenir un nouveau lien. Rien ne vous a été facturé.',
    unknownTitle: 'Page de paiement introuvable',
    unknown:
      'Vérifiez que le lien est complet, ou retournez là où vous avez commencé votre commande pour en obtenir un nouveau.',
  },
} satisfies Words<typeof english>;
