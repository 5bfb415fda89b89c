/**
 * The deferred-payment interface (DP 4) as one value. It takes companies, organisations, users and reference data from the
 * insurance interface, because both interfaces share their paths and one service answers them.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { CompaniesApi } from "../insurance/Companies.ts"
import { OrganisationsApi } from "../insurance/Organisations.ts"
import { CountriesApi, MeApi } from "../insurance/Reference.ts"
import { UsersApi } from "../insurance/Users.ts"
import { PaymentCreditLimitsApi } from "./CreditLimits.ts"
import { DeferredPaymentsApi } from "./DeferredPayments.ts"
import { IntentsApi } from "./Intents.ts"
import { OffersApi } from "./Offers.ts"
import { OrdersApi } from "./Orders.ts"
import { PreferencesApi } from "./PaymentMethods.ts"
import { StrictSoleTradersApi } from "./SoleTraders.ts"

export class DeferredPaymentApi extends HttpApi.make("deferred-payment")
  .add(CompaniesApi)
  .add(StrictSoleTradersApi)
  .add(OrganisationsApi)
  .add(PreferencesApi)
  .add(UsersApi)
  .add(OrdersApi)
  .add(OffersApi)
  .add(IntentsApi)
  .add(DeferredPaymentsApi)
  .add(PaymentCreditLimitsApi)
  .add(CountriesApi)
  .add(MeApi)
  .annotateMerge(OpenApi.annotations({ title: "Deferred payment", version: "v1" })) {}
