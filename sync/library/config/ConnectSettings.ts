/**
 * What a configuration says about links by which other people connect their own books: where the pages are, which sources
 * there are to choose from, where people are sent back to, and how the pages look.
 */
import { Schema } from "effect"
import { addressProblem } from "../../../core/Address.ts"
import { Schedule } from "../../model/Schedule.ts"

const maybe = Schema.optionalKey

/** With a query, where one is allowed: an address that people are sent to, which must not be read on its way. */
const Address = Schema.String.check(
  Schema.makeFilter((url: string) => addressProblem(url.replace(/\?.*$/, ""), "elsewhere") ?? true)
)

const SourceTemplate = Schema.StructWithRest(Schema.Struct({ connector: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

export const ConnectFile = Schema.Struct({
  /** The address by which people reach the daemon's pages, through a proxy with TLS. */
  url: Schema.String.check(Schema.makeFilter((url: string) => addressProblem(url, "elsewhere") ?? true)),
  /** Who asks people to connect their books. */
  name: Schema.NonEmptyString.check(Schema.isMaxLength(60, { message: "write at most 60 characters" })),
  /** A PNG, JPEG, WebP or SVG file beside the configuration, or a `data:` address. */
  logo: maybe(Schema.NonEmptyString),
  colour: maybe(
    Schema.String.check(Schema.isPattern(/^#[0-9a-fA-F]{6}$/u, { message: 'write a colour like "#0b5fff"' }))
  ),
  /** Where people may be sent back to; a link names one of them. */
  return_urls: Schema.NonEmptyArray(Address),
  /** What people may choose from: connectors, with the settings that are the same for everybody. */
  sources: Schema.NonEmptyArray(SourceTemplate),
  /** When the daemon reads what was connected. */
  every: maybe(Schedule),
  /** Plans of what was connected wait for approval. */
  approve: maybe(Schema.Boolean),
  /** `"send"`: the first sync of what was connected goes ahead. */
  first_sync: maybe(Schema.Literals(["send", "ask"]))
})

export type ConnectSettings = typeof ConnectFile.Type
