/**
 * The shop's server at checkout: every step, as an effect, and as a promise by `open`.
 */
export {
  buyer,
  type Customer,
  intent,
  isOffered,
  offer,
  type OfferOptions,
  order,
  type Selection,
  selection,
  UnreadableSelection
} from "./CheckoutOrder.ts"
export { page, policy } from "./CheckoutPage.ts"
export { open } from "./CheckoutPromises.ts"
export { heard, mayShip, type Shipping, shipping, UnreadableNotification } from "./Shipping.ts"
