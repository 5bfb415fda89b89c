/**
 * Every connector there is. To add one, write its folder and add its name to this list; settings, help and
 * documentation follow.
 */
import type { Connector as AnyConnector } from "./Connector.ts"
import { files } from "./files/Files.ts"

export const connectors: ReadonlyArray<AnyConnector> = [files]

export * as Connector from "./Connector.ts"
export * as Document from "./Document.ts"
