import type { Words } from '../../platform/languages/words.ts';
import type { agent as english } from '../en/agent.ts';

export const agent = {
  busy: ({ time }: { time: string }) => `Demasiadas solicitudes. Espera ${time} y vuelve a intentarlo.`,
  place: {
    choose: 'Elige una tienda: search_locations cerca del cliente y envía su id.',
    unknown: 'Esa tienda no está disponible aquí. Elige una de search_locations.',
    approximate: 'Estas tiendas entregan en el centro de ese código postal. Depende de tu dirección.',
    tooMany: ({ read, of }) => `Solo se buscaron las primeras ${read} de ${of} tiendas.`,
  },
  catalog: {
    noProduct: 'Ese producto no existe.',
    defaults: 'Con sus opciones habituales.',
    delivery: 'Se entrega en direcciones cercanas a la tienda.',
    pickup: ({ store }) => `Listo para recoger en ${store}.`,
    filter: ({ name }) => `Aquí no hay un filtro ${name}, así que no cambió nada.`,
    relaxed: ({ list }) => `Ningún producto tiene todas las palabras; la búsqueda omitió ${list}.`,
  },
  cart: {
    unknown: 'Ese carrito no existe o venció.',
    estimate: 'La entrega, los cargos y los impuestos se suman al pagar.',
    merged: 'El mismo artículo estaba dos veces; ahora es una sola línea.',
    sizedByPiece: 'Este artículo se vende por unidad.',
    sizedByWeight: ({ unit }) => `Este artículo se vende por peso, en ${unit}.`,
    stepped: ({ product, left }) => `${product} se vende en cantidades fijas, así que el carrito tiene ${left}.`,
    converted: ({ product, left }) => `${product} se vende en otra unidad, así que el carrito tiene ${left}.`,
    soldOut: ({ product, store }) => `${product} está agotado en ${store}.`,
    otherStore: ({ store }) => `Este artículo lo vende ${store}; empieza otro carrito.`,
    needsChoices: ({ product }) => `Elige las opciones de ${product} en su página.`,
    lowered: ({ product, left }) => `${product}: se pueden pedir ${left}, así que el carrito tiene esa cantidad.`,
    minimum: ({ store, missing }) => `Agrega ${missing} para pedir en ${store}.`,
    alternatives: ({ list }) => `En su lugar hay ${list}.`,
    optionsOff: ({ options }) => `No está a la venta en este momento: ${options}.`,
  },
  order: {
    unknown: 'Ese pedido no existe.',
    signIn: 'Inicia sesión para continuar.',
    cancel: ({ link }) => `Todavía puedes cancelar este pedido: ${link}`,
  },
  checkout: {
    where: '¿A dónde lo llevamos?',
    oneMethod: 'Elige una sola forma de recibirlo.',
    slotGone: 'Ese horario ya no está disponible. Elige otro.',
    noAddress: 'No encontramos esa dirección. Envíala con su número de calle.',
    abroad: 'Solo se entrega en Estados Unidos y Canadá.',
    over: 'Este pago ya terminó. Empieza otro.',
    signIn: 'Inicia sesión para pagar con una tarjeta guardada.',
    tipLater: 'Puedes dejar propina al pagar o después de hacer el pedido.',
    newPrice: ({ product, price }) => `${product} cuesta ${price} de esta forma.`,
    overLimit: ({ limit }) =>
      `El total supera los ${limit} que tu agente puede gastar por pedido. Revísalo y haz el pedido tú.`,
    tooMany: 'Tus agentes ya hicieron todos los pedidos que pueden hacer hoy. Haz este tú.',
  },
} satisfies Words<typeof english>;
