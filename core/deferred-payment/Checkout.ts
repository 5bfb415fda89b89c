/**
 * The steps of a checkout on the shop's server (DP 1): each as an effect, and from `open` as a promise.
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
