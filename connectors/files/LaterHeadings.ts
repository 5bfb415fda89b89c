/**
 * Compares the headings of a later export with those of the ones before. Nothing is read if a new one is known to change what an
 * amount means, or may be the new name of one that is watched: somebody says first what it is.
 */
import { plural } from "../../core/Plural.ts"
import { find } from "../tabular/Cells.ts"
import * as Rows from "../tabular/Rows.ts"
import type { InvoiceSettings } from "../tabular/Streams.ts"
import { quoted } from "./Checks.ts"
import { misconfigured } from "./Failures.ts"
import type { Changed } from "./Known.ts"
import type { File } from "./Listing.ts"
import type { Table } from "./Table.ts"

/** Headings of what an amount means, without spaces and accents: what became of it, what is left of it, in which currency it is. */
const MEANING = new RegExp(
  `^(?:${[
    "(?:invoice|payment|document|rechnungs?|zahlungs?|beleg|factuur)?(?:status|state|zustand|statut|estado|stato)",
    "(?:is)?(?:paid|void(?:ed)?|cancell?ed|settled|refunded|reversed|bezahlt|storniert|betaald|geannuleerd|payee?|annulee?|pagad[oa]|anulad[oa]|cobrada|pagat[oa]|annullat[oa]|betald|makulerad|oplacona|anulowana)",
    "(?:amount|total)(?:paid|due|refunded|outstanding|credited)|(?:paid|open|refunded|credited)amount|(?:date|paid)(?:paid|on|at|date)|payment(?:date|amount)",
    "(?:bezahlter|gezahlter|offener|erstatteter)betrag|(?:bezahlt|betaald)(?:am|op)|zahlungsdatum|(?:betaald|openstaand)bedrag|(?:montant|importe|importo)(?:paye|pagado|pagato|du|ouvert|pendiente|residuo)",
    "(?:open)?(?:balance|saldo|solde)(?:due|du)?|outstanding|openstaand|offen|restbetrag|resteapayer|pendiente",
    "(?:invoice)?(?:currency|wahrung|valuta|devise|moneda|divisa|waluta)(?:code)?",
    "(?:document|invoice|transaction)?(?:type|typ)|belegart|direction|debitcredit|creditdebit|sollhaben|afbij|sens"
  ].join("|")})$`
)

const plainly = (heading: string): string =>
  heading
    .normalize("NFD")
    .replace(/ł/g, "l")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase()

/** Columns that are not used because they said nothing, and of which nothing can be said any more. */
const unwatched = ({ settings }: File, header: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.entries((settings as Pick<InvoiceSettings, "unused">).unused ?? {})
    .filter(([heading, before]) => before !== "any" && find(header, heading) < 0)
    .map(([heading]) => heading)

export const check = (
  file: File,
  { header }: Pick<Table, "header">,
  { appeared, gone }: Changed
): ReadonlyArray<string> => {
  const { ending, name, place, settings } = file
  if (ending === ".jsonl") return []
  const asked = Rows.columnsOf(settings).map((heading) => header[find(header, heading)])
  const unused = Object.keys(settings.unused ?? {})
  const found = appeared.filter((one) => !asked.includes(one) && !unused.includes(one))
  const lost = unwatched(file, header)
  const known = found.filter((one) => MEANING.test(plainly(one)))
  const doubt =
    known.length > 0
      ? `${known.length === 1 ? "a column" : "columns"} not there before: ${quoted(known)}; what was paid or is owed may be said there`
      : lost.length > 0 && found.length > 0
        ? `${quoted(found)}, not there before, and no longer ${quoted(lost)}, which source.${place}.unused watches: it may be another name of it`
        : undefined
  if (doubt !== undefined)
    throw misconfigured(
      `${name} has ${doubt}, so nothing of the file is read`,
      `name it under source.${place}.columns (daybook init proposes how); or, if it says nothing that counts, under source.${place}.unused as "any"`
    )
  const others = gone.filter((one) => !lost.includes(one))
  const [has, use] = found.length === 1 ? ["a column", "it"] : ["columns", "one"]
  return [
    ...(lost.length === 0
      ? []
      : [
          `it has no ${quoted(lost)}, which source.${place}.unused watches: nothing is said there any more; if that is right, take ${lost.length === 1 ? "it" : "them"} out of unused`
        ]),
    ...(others.length === 0
      ? []
      : [
          `it no longer has ${plural(others.length, "column")} that ${others.length === 1 ? "was" : "were"} there before: ${quoted(others)}`
        ]),
    ...(found.length === 0
      ? []
      : [
          `it has ${has} not there before and not read: ${quoted(found)}; if ${use} changes what is owed or says what was paid, name it under columns (daybook init proposes how)`
        ])
  ]
}
