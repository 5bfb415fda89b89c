/**
 * Every connector there is. To add one, write its folder and add its name to this list; settings, help and
 * documentation follow.
 */
import { type Connector as AnyConnector, source } from "./Connector.ts"
import * as Files from "./files/Files.ts"

export const connectors: ReadonlyArray<AnyConnector> = [Files.files]

/** For configurations in TypeScript, each under its own name: `source: files({ invoices: { ... } })`. */
export const files = source(Files.files)

export * as Connector from "./Connector.ts"
export * as Document from "./Document.ts"
