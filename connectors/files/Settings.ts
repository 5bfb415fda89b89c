/**
 * What a configuration says of files: where they are and how they are written, beside what their columns mean.
 */
import { Schema } from "effect"
import * as Streams from "../tabular/Streams.ts"

const maybe = Schema.optionalKey

export const Settings = Streams.settings(
  {
    /** A file, a folder or a glob, relative to the configuration's folder. */
    path: Streams.said('where the file is, like "invoices.csv"'),
    /** Found from the header line unless given. */
    separator: maybe(Schema.Literals([",", ";", "\t", "|"])),
    /** Found from the bytes unless given. */
    encoding: maybe(Schema.Literals(["utf-8", "utf-16le", "utf-16be", "windows-1252", "latin1"])),
    /** Of a workbook: the name of the sheet; the first one unless given. */
    sheet: maybe(Schema.NonEmptyString),
    /** The line that names the columns, counted from 1; what stands above it is passed over. Not for JSON Lines. */
    header_row: maybe(
      Schema.Int.check(
        Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "write the number of a line, from 1 to 1000" })
      )
    ),
    /** Megabytes that a workbook may have when it is unpacked; 2048 unless given. */
    unpacked_limit: maybe(
      Schema.Int.check(
        Schema.isBetween({ minimum: 1, maximum: 1 << 20 }, { message: "write megabytes, a whole number like 4096" })
      )
    )
  },
  {}
)
export type Settings = typeof Settings.Type

/** The settings of one stream, whichever it is. */
export type StreamSettings = NonNullable<Settings[Streams.Stream]>

export { STREAMS, type Stream } from "../tabular/Streams.ts"
