/**
 * The service: both interfaces as values, money, errors and the client.
 */
export { ServiceApi } from "./Api.ts"
export { addressProblem, Client, type ClientOptions, pages } from "./Client.ts"
export { DeferredPaymentApi } from "./deferred-payment/Api.ts"
export * as OrderBuilder from "./deferred-payment/OrderBuilder.ts"
export { InsuranceApi } from "./insurance/Api.ts"
export * as Allocation from "./money/Allocation.ts"
export * as Codecs from "./money/Codecs.ts"
export * as Currency from "./money/Currency.ts"
export * as Decimal from "./money/Decimal.ts"
export * as Items from "./money/Items.ts"
export { ServiceError } from "./ServiceError.ts"
export * as Country from "./wire/Country.ts"
export * as Day from "./wire/Day.ts"
export * as Ids from "./wire/Ids.ts"
export * as Instant from "./wire/Instant.ts"
