import type { Words } from '../../platform/languages/words.ts';
import type { driver as english } from '../en/driver.ts';

/* Texts of the driver's page in French. */

export const driver = {
  skip: 'Aller à la livraison',
  brand: 'Livraison',
  title: ({ store }) => `Livraison\u00a0: ${store}`,
  language: 'Langue',
  test: 'Commande d’essai. Il n’y a rien à ramasser ni à livrer.',
  needsScript:
    'Cette page a besoin de JavaScript pour mettre à jour la livraison et partager votre position. Sans lui, appelez l’établissement, qui fera la mise à jour pour vous.',

  headline: {
    assigned: 'Vous avez une livraison',
    accepted: ({ store }) => `Cueillette chez ${store}`,
    pickedUp: ({ customer }) => (customer === '' ? 'Livrez au client' : `Livrez à ${customer}`),
    nearby: 'Vous y êtes presque',
    delivered: 'Commande livrée',
    route: ({ store, customer }) => `Chez ${store}, puis chez ${customer || 'le client'}.`,
    isReady: 'La commande est prête.',
    readyAround: ({ time }) => `Elle devrait être prête vers ${time}.`,
    thereBy: ({ time }) => `À la porte au plus tard à ${time}.`,
    knowsYouAreNear: ({ customer }) =>
      customer === '' ? 'Le client sait que vous approchez.' : `${customer} sait que vous approchez.`,
    thanks: 'Merci! Vous pouvez fermer cette page.',
  },

  facts: {
    order: 'Commande',
    items: 'Articles',
    payment: 'Paiement',
    prepaid: 'Déjà payée. N’encaissez rien.',
    collect: ({ amount }) => `Encaissez ${amount}.`,
    collectCash: ({ amount }) => `Encaissez ${amount} en argent comptant.`,
    alcohol: 'Alcool',
    checkId: 'Vérifiez une pièce d’identité à la porte.',
    tip: 'Pourboire',
    pay: 'Rémunération de la livraison',
    tipsToday: 'Pourboires aujourd’hui',
    tipsOfDays: ({ days }) => `Pourboires, ${days} derniers jours`,
  },

  stop: {
    bag: 'Vérifiez le sac',
    pickup: 'Cueillette',
    dropoff: 'Livraison',
    customer: 'Client',
    apartment: ({ number }) => `App. ${number}`,
    note: 'Note\u00a0:',
    map: 'Carte',
    mapTo: ({ name }) => `Carte vers ${name}`,
    call: 'Appeler',
    callTo: ({ name, phone }) => `Appeler ${name}, ${phone}`,
  },

  map: {
    otherApps: 'Vous naviguez avec une autre application?',
    stops:
      'Derrière une autre application, cette page cesse de partager votre position et le client ne peut plus vous suivre jusqu’à votre retour. Gardez-la à l’écran ou utilisez l’écran partagé.',
    trackers:
      'Pour partager en arrière-plan, utilisez OwnTracks (mode HTTP) ou Traccar Client, avec le lien de cette livraison comme URL\u00a0:',
  },

  proof: {
    code: 'NIP du client',
    codeFirst: 'Demandez au client le NIP à quatre chiffres affiché sur sa page de commande.',
    wrongCode: 'Ce NIP est incorrect. Après cinq NIP incorrects, appelez l’établissement.',
    collected: 'Montant encaissé',
    collectedWrong: 'Entrez le montant encaissé, comme 18.50.',
    atTheDoor: 'À la porte',
    idChecked: 'J’ai vérifié une pièce d’identité. La personne a l’âge légal.',
    takePhoto: 'Prendre une photo (facultatif)',
    takeAnother: 'Prendre une autre photo',
    photoSaved: 'Photo enregistrée.',
  },

  step: { accept: 'Accepter', pickUp: 'Je l’ai ramassée', complete: 'Livrée' },

  far: {
    title: 'Loin de la porte?',
    question: ({ distance }) =>
      `D’après votre téléphone, vous êtes à ${distance} de la porte. Avez-vous livré la commande?`,
    notYet: 'Pas encore',
    delivered: 'Oui, livrée',
  },

  sharing: {
    asking: 'Autorisez l’accès à votre position pour que le client puisse vous suivre.',
    on: 'Le client peut vous suivre tant que cette page est à l’écran.',
    lost: 'Vous êtes hors ligne. Nous enverrons votre position au retour de la connexion.',
    searching: 'Recherche de votre position…',
    denied:
      'Nous ne voyons pas votre position. Autorisez-la pour cette page dans les réglages de votre navigateur, puis ouvrez de nouveau le lien. Les boutons fonctionnent quand même.',
  },

  sending: {
    accept: 'Vous êtes hors ligne. La livraison sera acceptée au retour de la connexion. Gardez cette page ouverte.',
    pickUp: 'Vous êtes hors ligne. La cueillette sera confirmée au retour de la connexion. Gardez cette page ouverte.',
    complete: 'Vous êtes hors ligne. La livraison sera confirmée au retour de la connexion. Gardez cette page ouverte.',
    photo: 'Vous êtes hors ligne. La photo sera envoyée au retour de la connexion. Gardez cette page ouverte.',
    badPhoto: 'Cette photo est illisible. Prenez-en une autre.',
    idFirst: 'Cette commande contient de l’alcool. Vérifiez d’abord une pièce d’identité, puis cochez la case.',
    refused: 'Ça n’a pas fonctionné. Réessayez ou appelez l’établissement.',
    notPossible: 'Ce n’est pas possible pour l’instant. En cas de problème, appelez l’établissement.',
  },

  ended: {
    tab: 'Lien expiré',
    title: 'Ce lien ne fonctionne plus',
    detail: 'La livraison est terminée, ou une autre personne s’en occupe.',
    wholeLink: 'Il devrait fonctionner? Ouvrez le lien au complet à partir du message reçu.',
    callStore: 'Vous avez encore la commande? Appelez l’établissement.',
  },
} satisfies Words<typeof english>;
