/**
 * What sources and settings say of a configuration, for a person who has none yet: at a terminal they know their files and flags,
 * on a page their files and a form.
 */
import { SourceError } from "../../connectors/SourceError.ts"
import type { Preview } from "../pull/Preview.ts"
import { ConfigError } from "./config/Configuration.ts"
import { messageOf } from "./Exit.ts"

/** Where a person answers. */
export type Answering = "flags" | "form"

/** A place in a configuration or a flag, and what is said of it where there is none. */
const WORDS: ReadonlyArray<readonly [RegExp, Readonly<Record<Answering, string>>]> = [
  [
    /; map it under (?:statuses|types)/,
    { flags: "; correct it, or say what it means with --status or --type", form: "; correct it" }
  ],
  [/ \(or map it to settlement under types\)/, { flags: "", form: "" }],
  [
    /; name the column for it under columns\.(\w+)/,
    { flags: "; name the column for it with --column invoices.$1=HEADING", form: "; add a column for it" }
  ],
  [
    /Name a column for balance or paid, or correct statuses, or the row/,
    { flags: "Name a column with --column invoices.balance=HEADING, or correct the row", form: "Correct the row" }
  ],
  [
    /; correct statuses or columns\.balance, or the row/,
    {
      flags: "; correct the row, or name the right column with --column invoices.balance=HEADING",
      form: "; correct the row, or choose the right column for the balance"
    }
  ],
  [
    /; name a column for it, or set currency/,
    { flags: "; give it with --currency CODE, or add a column for it", form: "; add a column for it" }
  ],
  [/, or set currency for rows without one/, { flags: ", or give --currency CODE", form: "" }],
  [/; set decimal$/, { flags: "; say which with --decimal", form: "; write it without a sign for thousands" }],
  [/, or set decimal$/, { flags: ", or say with --decimal which sign is the decimal one", form: "" }],
  [
    /; say which under currencies/,
    { flags: "; say which with --currency-of SIGN=CODE", form: "; write the code of the one that is meant" }
  ],
  [/, or say what it means under currencies/, { flags: ", or say what it means with --currency-of", form: "" }],
  [
    /; map it under terms_days/,
    { flags: "; write the due day, or the number of days", form: "; write the due day, or the number of days" }
  ],
  [/, or set terms_days/, { flags: ", or give --terms-days NUMBER", form: "" }],
  [/[sS]et terms_days/, { flags: "give --terms-days NUMBER", form: "say below how many days after issue it is due" }],
  [
    /[sS]et (prepaid|corrected_invoices|negative_credit_notes|foreign) to/,
    { flags: "say with --set $1=VALUE which it is:", form: "it waits until $1 is set in the connection:" }
  ],
  [
    /name it under columns\.balance.*take it out of unused/,
    { flags: "name the column for it with --column FIELD=HEADING", form: "choose the column for it below" }
  ],
  [/set date_format, or correct it/, { flags: "correct it", form: "correct it" }],
  [/set time_zone to/, { flags: "give --time-zone,", form: "write the day alone, or the time of" }],
  [
    /add a stream or another text to where, or name (\w+) under leave_out/,
    { flags: "say what $1 should be with --type TEXT=TYPE", form: "export the list without $1" }
  ],
  [
    /, or leave out columns\.settled if its day/,
    { flags: ", or give --column invoices.settled=none if its day", form: ", or leave the column out if its day" }
  ],
  [/; check columns, decimal and where\)/, { flags: ")", form: ")" }],
  [/, or correct columns\.amount\)/, { flags: ")", form: ")" }],
  [
    /, or leave out columns\.tax_amount if more is in the amount, like shipping/,
    {
      flags: ", or give --column tax_amount=none if more is in the amount, like shipping",
      form: ", or answer below that the tax is not compared, if more is in the amount, like shipping"
    }
  ],
  [/, or set "other_tables": "leave_out"/, { flags: "", form: "" }],
  [/correct source\.\w+\.path, or write columns if it is a table/, { flags: "leave it out", form: "leave it out" }],
  [/, or the column's unit/, { flags: ", or the unit with --unit HEADING=whole", form: "" }],
  [/Correct columns\.amount/, { flags: "Name them with --column", form: "Choose them below" }],
  [/, or its type under types/, { flags: ", or its type", form: ", or its type" }],
  [/set unpacked_limit to allow more megabytes/, { flags: "split it", form: "split it" }],
  [/, or set encoding|,? ?\(?set encoding if that is wrong\)?/, { flags: "", form: "" }],
  [
    /that is not read; name it under source\.(\w+)(?:\[\d+\])?\.columns\.(\w+), so/,
    {
      flags: "that is not read; name it with --column $1.$2=HEADING, so",
      form: "that is not read: choose it below, so"
    }
  ],
  [/as the configuration says/, { flags: "as was said", form: "as was said" }],
  [
    /name your own VAT number or name as source\.seller/,
    { flags: "say with --name which of them these books are of", form: "say which of them these books are of" }
  ],
  // What the command says of its flags.
  [
    / If a column has what is left of it, --column invoices\.balance=HEADING names it\./,
    {
      flags: "$&",
      form: " If a column has what is left of it, choose another list that has it under a heading like Balance."
    }
  ],
  [/, or say what the rows are with --kind FILE=KIND or --type TEXT=TYPE/, { flags: "$&", form: "" }],
  [/for those that do not, set --terms-days NUMBER/, { flags: "$&", form: "those that do not are asked about" }]
]

export const unwritten = (text: string, by: Answering): string =>
  WORDS.reduce((all, [place, words]) => all.replace(place, words[by]), text)

/** What gets past any mapping that does not fit, whatever it is. */
const PAST: Readonly<Record<Answering, string>> = {
  flags:
    "name the right columns with --column FIELD=HEADING, say what the file holds with --kind FILE=KIND, or correct the file and export it again",
  form: "choose the right columns below, or correct the file and upload it again"
}

/** An error of files that nobody has configured yet. */
export const unwrittenError = (error: unknown, by: Answering): string => {
  if (error instanceof SourceError && error.connector === "files" && error.reason._tag === "Misconfigured")
    return `${unwritten(error.reason.what, by)}; ${PAST[by]}`
  if (!(error instanceof ConfigError)) return unwritten(messageOf(error), by)
  const what = error.problems.join("; ").replace(/connections\[\d+\]\.source\./g, "")
  return `these files do not say enough: ${what}; ${PAST[by]}`
}

/**
 * A preview of what nobody has configured yet.
 *
 * @param shown replaces internal names of files by those that the person knows
 */
export const unwrittenPreview = (
  preview: Preview,
  by: Answering,
  shown: (text: string) => string = (text) => text
): Preview => ({
  ...preview,
  rows: preview.rows.map((one) => ({ ...one, origin: shown(one.origin) })),
  quarantined: preview.quarantined.map((one) => ({
    ...one,
    origin: shown(one.origin),
    why: shown(unwritten(one.why, by))
  })),
  notices: preview.notices.map((one) => ({ origin: shown(one.origin), what: shown(unwritten(one.what, by)) })),
  differing: preview.differing.map((one) => ({ ...one, at: shown(one.at) }))
})
