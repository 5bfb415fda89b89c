/**
 * The configuration of links by which other people connect their own books: the address of the pages, the sources to choose
 * from, the return addresses, and the branding.
 */
import { Schema } from "effect"
import { addressProblem } from "../../../core/Address.ts"
import { Schedule } from "../../model/Schedule.ts"

const maybe = Schema.optionalKey

/** An address that people are sent to, so it must be secure; a query is allowed. */
const Address = Schema.String.check(
  Schema.makeFilter((url: string) => addressProblem(url.replace(/\?.*$/, ""), "elsewhere") ?? true)
)

const SourceTemplate = Schema.StructWithRest(Schema.Struct({ connector: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

export const ConnectFile = Schema.Struct({
  /** The address at which people reach the daemon's pages, through a proxy with TLS. */
  url: Schema.String.check(Schema.makeFilter((url: string) => addressProblem(url, "elsewhere") ?? true)),
  /** The name of the company that asks people to connect their books. */
  name: Schema.NonEmptyString.check(Schema.isMaxLength(60, { message: "write at most 60 characters" })),
  /** A PNG, JPEG, WebP or SVG file beside the configuration, or a `data:` address. */
  logo: maybe(Schema.NonEmptyString),
  colour: maybe(
    Schema.String.check(Schema.isPattern(/^#[0-9a-fA-F]{6}$/u, { message: 'write a colour like "#0b5fff"' }))
  ),
  /** The allowed return addresses; a link names one of them. */
  return_urls: Schema.NonEmptyArray(Address),
  /** The connectors to choose from, with the settings that are the same for everybody. */
  sources: Schema.NonEmptyArray(SourceTemplate),
  /** The schedule of the new connections. */
  every: maybe(Schedule),
  /** Plans of the new connections wait for approval. */
  approve: maybe(Schema.Boolean),
  /** `"send"`: the first sync of the new connections goes ahead. */
  first_sync: maybe(Schema.Literals(["send", "ask"]))
})

export type ConnectSettings = typeof ConnectFile.Type
