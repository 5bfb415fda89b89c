/** Describes an entry of the connector list: its name, and how to import the connector and its sample on demand. */
import type { Schema } from "effect"
import type { Connector } from "./Connector.ts"
import type { Subject } from "./testing/Subject.ts"

export interface Entry {
  readonly name: string
  readonly load: () => Promise<Connector>
  /** The sample that the conformance kit runs against. */
  readonly sample: () => Promise<{ readonly subject: Subject }>
}

/** A module that exports a connector under its own name. */
export type Module<Name extends string> = {
  // biome-ignore lint/suspicious/noExplicitAny: any settings, any bookmark; each connector names its own
  readonly [name in Name]: Connector<Name, Schema.Codec<any, any>, Schema.Codec<any, any>>
}

/** Checks the `source` of a connection while it is being written in TypeScript. */
export type Helper<Name extends string, M extends Module<Name>> = (
  settings: M[Name]["settings"]["Encoded"]
) => M[Name]["settings"]["Encoded"] & { readonly connector: Name }

export const entryOf = <Name extends string>(
  name: Name,
  module: () => Promise<Module<Name>>,
  sample: Entry["sample"]
): Entry => ({ name, sample, load: async () => (await module())[name] })
