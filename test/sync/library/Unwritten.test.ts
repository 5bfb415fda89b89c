/** Whoever has no configuration yet is told of none: everything that a file's reader says is said in words of flags, or of a form. */
import { describe, expect, it } from "vitest"
import { readdirSync, readFileSync } from "node:fs"
import { failing } from "../../../connectors/SourceError.ts"
import { ConfigError } from "../../../sync/library/config/Configuration.ts"
import { unwritten, unwrittenError } from "../../../sync/library/Unwritten.ts"

const ROOMS = [
  "connectors/files",
  "connectors/files/bank",
  "connectors/files/workbook",
  "connectors/tabular",
  "connectors/einvoice",
  "connectors/ledger",
  "connectors/ledger/datev",
  "connectors/ledger/fec",
  "connectors/ledger/saft"
]
/** What settings are and how they are checked: before there are any, `unwrittenError` says none of it. */
const SETTINGS = [
  "Settings.ts",
  "Streams.ts",
  "Settled.ts",
  "DateFormats.ts",
  "Expressions.ts",
  "Where.ts",
  "Sample.ts"
]

const PLACES =
  /\b(?:statuses|under types|columns\.\w|date_format|time_zone|leave_out|other_tables|set encoding|set decimal|set currency|the configuration|source\.\$|terms_days|under currencies|unpacked_limit|set (?:prepaid|corrected_invoices|negative_credit_notes|foreign) to)/i

/** Everything that is said of a row or a file, as it is written; what stops the reading says its place in its hint. */
const said = ROOMS.flatMap((room) =>
  readdirSync(new URL(`../../../${room}/`, import.meta.url))
    .filter((name) => name.endsWith(".ts") && !SETTINGS.includes(name))
    .flatMap((name) =>
      readFileSync(new URL(`../../../${room}/${name}`, import.meta.url), "utf8")
        .replace(/misconfigured\([\s\S]*?\n {2,4}\)/g, "")
        .split("\n")
        .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && PLACES.test(line.replace(/\$\{[^}]*\}/g, "x")))
        .flatMap((line) => line.match(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/g) ?? [])
        .map((text) => text.slice(1, -1).replace(/\$\{[^}]*\}/g, "invoices"))
        .filter((text) => PLACES.test(text) && text.includes(" "))
    )
)

describe("what is said of files before there is a configuration", () => {
  it("names no place in one, at a terminal or on a page", () => {
    expect(said.length).toBeGreaterThan(14)
    for (const text of said)
      for (const by of ["flags", "form"] as const) {
        const words = unwritten(text, by)
        expect(words).not.toMatch(PLACES)
        expect(words).not.toMatch(/source\.|columns\./)
        if (by === "form") expect(words).not.toMatch(/--[a-z]/)
        expect(words).not.toMatch(/[;,:(]\s*$|;\s*[;)]/)
      }
  })

  it("says what gets past an error instead of a place", () => {
    const { misconfigured, unreadable } = failing("files")
    const error = misconfigured("books.csv: 4 of the first 4 dates", 'set source.invoices.date_format to "d/M/yyyy"')
    expect(unwrittenError(error, "flags")).toBe(
      "books.csv: 4 of the first 4 dates; name the right columns with --column FIELD=HEADING, say what the file holds with --kind FILE=KIND, or correct the file and export it again"
    )
    expect(unwrittenError(error, "form")).toBe(
      "books.csv: 4 of the first 4 dates; choose the right columns below, or correct the file and upload it again"
    )
    expect(unwrittenError(unreadable("books.csv", "it is empty"), "form")).toContain(
      "books.csv cannot be read: it is empty"
    )
    const settings = new ConfigError({
      file: "daybook.config.json",
      problems: ["connections[0].source.invoices: name a column for gross or net"]
    })
    expect(unwrittenError(settings, "form")).toBe(
      "these files do not say enough: invoices: name a column for gross or net; choose the right columns below, or correct the file and upload it again"
    )
  })
})
