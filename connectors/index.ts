/**
 * Exports the connector contract, the helpers for writing connectors (here and elsewhere), and the list of connectors.
 */
export * from "./list.ts"
export * as Connector from "./Connector.ts"
export * as Document from "./Document.ts"
export * as GraphQL from "./GraphQL.ts"
export * as Http from "./Http.ts"
export * as Json from "./Json.ts"
export * as OAuth from "./OAuth.ts"
export * as Paging from "./Paging.ts"
export * as Plain from "./Plain.ts"
export * as PaymentMethods from "./PaymentMethods.ts"
export * as Rest from "./rest/index.ts"
export * as Shop from "./Shop.ts"
export * as Sides from "./Sides.ts"
export * as Signature from "./Signature.ts"
export * as Sums from "./Sums.ts"
export * as Trackings from "./Trackings.ts"
