/**
 * Combines both interfaces into one API definition, for code that handles the whole service: the client, the sandbox, the
 * OpenAPI document. Where they differ on a path, the looser rule is used, which both accept.
 */
import { OpenApi } from "effect/http-api"
import { PaymentCreditLimitsApi } from "./deferred-payment/CreditLimits.ts"
import { DeferredPaymentsApi } from "./deferred-payment/DeferredPayments.ts"
import { IntentsApi } from "./deferred-payment/Intents.ts"
import { OffersApi } from "./deferred-payment/Offers.ts"
import { OrdersApi } from "./deferred-payment/Orders.ts"
import { PreferencesApi } from "./deferred-payment/PaymentMethods.ts"
import { InsuranceApi } from "./insurance/Api.ts"

export class ServiceApi extends InsuranceApi.add(OrdersApi)
  .add(OffersApi)
  .add(IntentsApi)
  .add(DeferredPaymentsApi)
  .add(PaymentCreditLimitsApi)
  .add(PreferencesApi)
  .annotateMerge(OpenApi.annotations({ title: "Deferred payment and invoice insurance", version: "v1" })) {}
