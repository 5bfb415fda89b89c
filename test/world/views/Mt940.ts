/** SWIFT MT940 as German banks write it: numbered fields in `:86:`, capitals without umlauts, names cut at 27 letters. */
import { iso, major, type Minor } from "../Values.ts"
import type { Entry, Part } from "./Bank.ts"

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
const balance = (minor: Minor, day: number): string => `${minor < 0n ? "D" : "C"}${date(day)}EUR${amount(minor)}`

export const mt940 = (part: Part, opening: Minor, closing: Minor, entries: ReadonlyArray<Entry>): string =>
  [
    ":20:STARTUMSE",
    ":25:12030000/0000202051",
    `:28C:${part.number}/1`,
    `:60F:${balance(opening, part.from)}`,
    ...entries.flatMap((one) => [
      `:61:${date(one.day)}${date(one.day).slice(2)}${one.amount < 0n ? "D" : "C"}${amount(one.amount)}N051NONREF${one.reference === undefined ? "" : `//${one.reference}`}`,
      `:86:166?00GUTSCHRIFT${one.text === "" ? "" : `?20${plain(one.text).slice(0, 27)}`}?32${plain(one.name).slice(0, 27)}`
    ]),
    `:62F:${balance(closing, part.to)}`,
    "-",
    ""
  ].join("\r\n")
