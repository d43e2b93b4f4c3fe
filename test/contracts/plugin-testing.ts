/** `doorstep/plugin-testing`: the contract of each port, for the tests of plug-ins. */
export { type CourierSubject, courierJob, keepsCourierContract } from './courier-contract.ts';
export { type FormatSubject, keepsFormatContract } from './format-contract.ts';
export { keepsCashContract, keepsGatewayContract, type Subject as GatewaySubject } from './gateway-contract.ts';
export { type GeocoderSubject, keepsGeocoderContract } from './geocoder-contract.ts';
export { keepsPrinterContract, type PrinterSubject, ticketFor } from './printer-contract.ts';
export { keepsMailerContract, keepsSmsContract } from './sender-contract.ts';
export { keepsTaxContract, type TaxSubjectOfTest as TaxSubject } from './tax-contract.ts';
