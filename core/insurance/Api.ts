/**
 * The invoice-insurance interface (II 4) as one value. The client, the sandbox's routes and the OpenAPI document are derived
 * from it, so that they cannot differ.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { CollectionDocumentsApi } from "./CollectionDocuments.ts"
import { CollectionsApi } from "./Collections.ts"
import { CompaniesApi } from "./Companies.ts"
import { CreditLimitsApi } from "./CreditLimits.ts"
import { OrganisationsApi } from "./Organisations.ts"
import { PoliciesApi } from "./Policies.ts"
import { QuotesApi } from "./Quotes.ts"
import { CountriesApi, MeApi } from "./Reference.ts"
import { ScoresApi } from "./Scores.ts"
import { SoleTradersApi } from "./SoleTraders.ts"
import { TransactionsApi } from "./Transactions.ts"
import { UsersApi } from "./Users.ts"

export class InsuranceApi extends HttpApi.make("insurance")
  .add(CompaniesApi)
  .add(SoleTradersApi)
  .add(ScoresApi)
  .add(CreditLimitsApi)
  .add(OrganisationsApi)
  .add(UsersApi)
  .add(TransactionsApi)
  .add(QuotesApi)
  .add(PoliciesApi)
  .add(CollectionsApi)
  .add(CollectionDocumentsApi)
  .add(CountriesApi)
  .add(MeApi)
  .annotateMerge(OpenApi.annotations({ title: "Invoice insurance", version: "v1" })) {}
