/** Which files were read, and what of: the bookmark of the connector `ledger`. */
import { Schema } from "effect"
import * as Looks from "../Looks.ts"

export const Bookmark = Schema.Struct({
  /** How the files were read: settings and version. They are read again if it changes. */
  how: Schema.String,
  /** By file, when it was read and the parts that it states. */
  files: Schema.Record(Schema.String, Schema.Struct({ look: Looks.Look, parts: Schema.Array(Schema.String) }))
})
export type Bookmark = typeof Bookmark.Type
