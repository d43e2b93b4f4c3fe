import { sentence } from '../../platform/languages/grammar.ts';
import type { Words } from '../../platform/languages/words.ts';
import type { driver as english } from '../en/driver.ts';
import { atTime, ofTime } from './times.ts';

/* Texts of the driver's page in Spanish. */

export const driver = {
  skip: 'Ir a la entrega',
  brand: 'Entrega',
  title: ({ store }) => `Entrega de ${store}`,
  language: 'Idioma',
  test: 'Pedido de prueba. No hay nada que recoger ni entregar.',
  needsScript:
    'Esta página necesita JavaScript para actualizar la entrega y compartir tu ubicación. Sin él, llama a la tienda y ellos la actualizarán por ti.',

  headline: {
    assigned: 'Tienes una entrega',
    accepted: ({ store }) => `Recoge en ${store}`,
    pickedUp: ({ customer }) => (customer === '' ? 'Llévaselo al cliente' : `Llévaselo a ${customer}`),
    nearby: 'Ya casi llegas',
    delivered: 'Entregado',
    route: ({ store, customer }) => (customer === '' ? `De ${store} al cliente.` : `De ${store}, para ${customer}.`),
    isReady: 'El pedido está listo.',
    readyAround: ({ time }) => sentence(`Debe estar listo alrededor ${ofTime(time)}`),
    thereBy: ({ time }) => sentence(`Llega a la puerta a más tardar ${atTime(time)}`),
    knowsYouAreNear: ({ customer }) =>
      customer === '' ? 'El cliente ya sabe que estás cerca.' : `${customer} ya sabe que estás cerca.`,
    thanks: '¡Gracias! Ya puedes cerrar esta página.',
  },

  facts: {
    order: 'Pedido',
    items: 'Artículos',
    payment: 'Pago',
    prepaid: 'Ya está pagado. No cobres.',
    collect: ({ amount }) => `Cobra ${amount}.`,
    collectCash: ({ amount }) => `Cobra ${amount} en efectivo.`,
    alcohol: 'Alcohol',
    checkId: 'Pide una identificación en la puerta.',
    tip: 'Propina',
    pay: 'Pago por esta entrega',
    tipsToday: 'Propinas de hoy',
    tipsOfDays: ({ days }) => `Propinas, últimos ${days} días`,
  },

  stop: {
    bag: 'Revisa la bolsa',
    pickup: 'Recoger',
    dropoff: 'Entregar',
    customer: 'Cliente',
    apartment: ({ number }) => `Apto. ${number}`,
    note: 'Nota:',
    map: 'Mapa',
    mapTo: ({ name }) => `Mapa a ${name}`,
    call: 'Llamar',
    callTo: ({ name, phone }) => `Llamar a ${name}, ${phone}`,
  },

  map: {
    otherApps: '¿Navegas con otra aplicación?',
    stops:
      'Detrás de otra aplicación, esta página deja de compartir tu ubicación y el cliente no puede seguirte hasta que vuelvas. Mantenla en pantalla o usa la pantalla dividida.',
    trackers:
      'Para compartir en segundo plano, usa OwnTracks (modo HTTP) o Traccar Client con el enlace de esta entrega como URL:',
  },

  proof: {
    code: 'PIN del cliente',
    codeFirst: 'Pídele al cliente el PIN de cuatro dígitos que aparece en la página de su pedido.',
    wrongCode: 'Ese PIN es incorrecto. Después de cinco PIN incorrectos, llama a la tienda.',
    collected: 'Monto cobrado',
    collectedWrong: 'Escribe el monto que cobraste, como 18.50.',
    atTheDoor: 'En la puerta',
    idChecked: 'Revisé una identificación. El cliente es mayor de edad.',
    takePhoto: 'Tomar una foto (opcional)',
    takeAnother: 'Tomar otra foto',
    photoSaved: 'Foto guardada.',
  },

  step: { accept: 'Aceptar', pickUp: 'Ya lo recogí', complete: 'Entregado' },

  far: {
    title: '¿Lejos de la puerta?',
    question: ({ distance }) => `Según tu teléfono, estás a ${distance} de la puerta. ¿Ya entregaste el pedido?`,
    notYet: 'Todavía no',
    delivered: 'Sí, entregado',
  },

  sharing: {
    asking: 'Permite el acceso a tu ubicación para que el cliente pueda seguirte.',
    on: 'El cliente puede seguirte mientras esta página esté en pantalla.',
    lost: 'No tienes conexión. Enviaremos tu ubicación cuando vuelva.',
    searching: 'Buscando tu ubicación…',
    denied:
      'No vemos tu ubicación. Permítela para esta página en los ajustes de tu navegador y abre el enlace de nuevo. Los botones funcionan sin ella.',
  },

  sending: {
    accept: 'No tienes conexión. Aceptaremos la entrega cuando vuelva. Deja esta página abierta.',
    pickUp: 'No tienes conexión. Lo marcaremos como recogido cuando vuelva. Deja esta página abierta.',
    complete: 'No tienes conexión. Lo marcaremos como entregado cuando vuelva. Deja esta página abierta.',
    photo: 'No tienes conexión. Enviaremos la foto cuando vuelva. Deja esta página abierta.',
    badPhoto: 'No se puede leer esa foto. Toma otra.',
    idFirst: 'Este pedido lleva alcohol. Pide primero una identificación y luego marca la casilla.',
    refused: 'No se pudo. Inténtalo de nuevo o llama a la tienda.',
    notPossible: 'Ahora no se puede. Si hay un problema, llama a la tienda.',
  },

  ended: {
    tab: 'Enlace vencido',
    title: 'Este enlace ya no funciona',
    detail: 'La entrega terminó o ahora la lleva otro repartidor.',
    wholeLink: '¿Debería funcionar? Abre el enlace completo desde el mensaje que recibiste.',
    callStore: '¿Todavía tienes el pedido? Llama a la tienda.',
  },
} satisfies Words<typeof english>;
