/** SWIFT MT940 as German banks write it: numbered fields in `:86:`, capitals without umlauts, names cut at 27 letters. */
import { iso, major, type Minor } from "../Values.ts"
import type { Account, Entry, Part } from "./Bank.ts"
import { IBANS } from "./Camt.ts"

const plain = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll("Ä", "AE")
    .replaceAll("Ö", "OE")
    .replaceAll("Ü", "UE")
    .replaceAll("ß", "SS")
    .replaceAll("?", " ")
const date = (day: number): string => iso(day).slice(2).replaceAll("-", "")
const amount = (minor: Minor): string => major(minor < 0n ? -minor : minor).replace(".", ",")
const balance = (minor: Minor, day: number, currency: string): string =>
  `${minor < 0n ? "D" : "C"}${date(day)}${currency}${amount(minor)}`
/** In a line of its own, as supplementary details. */
const original = ({ sent }: Entry): ReadonlyArray<string> =>
  sent === undefined ? [] : [`/OCMT/${sent.currency}${amount(sent.amount)}/`]

/** What it was; of a collection that came back, the identifier that it had. */
const said = ({ e2e, returned, text }: Entry): string => {
  if (returned === undefined) return `166?00GUTSCHRIFT${text === "" ? "" : `?20${plain(text).slice(0, 27)}`}`
  return `109?00SEPA-LASTSCHR. RETOURE CORE?20EREF+${e2e ?? ""}?21SVWZ+${returned} ${plain(text).slice(0, 17)}`
}

export const mt940 = (part: Part, { closing, currency, opening }: Account, entries: ReadonlyArray<Entry>): string =>
  [
    ":20:STARTUMSE",
    `:25:${IBANS[currency].slice(4, 12)}/${IBANS[currency].slice(12)}`,
    `:28C:${part.number}/1`,
    `:60F:${balance(opening, part.from, currency)}`,
    ...entries.flatMap((one) => [
      `:61:${date(one.day)}${date(one.day).slice(2)}${one.amount < 0n ? "D" : "C"}${amount(one.amount)}${one.returned === undefined ? "N051" : "NRTI"}NONREF${one.reference === undefined ? "" : `//${one.reference}`}`,
      ...original(one),
      `:86:${said(one)}?32${plain(one.name).slice(0, 27)}`
    ]),
    `:62F:${balance(closing, part.to, currency)}`,
    "-",
    ""
  ].join("\r\n")
