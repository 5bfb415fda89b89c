/** What the bank formats of fixed columns have in common: CODA, Norma 43, CFONB 120. */
import * as Currency from "../../../core/money/Currency.ts"
import type * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { type Line, lines, type Source } from "../../Lines.ts"
import { type Balance, Fault } from "./Entry.ts"

/** Columns of a record, counted from 1 as the formats' descriptions do; editors strip blanks at the end. */
export const columns = (line: string, from: number, to: number): string =>
  (line.length < to ? line.padEnd(128) : line).slice(from - 1, to)

export const trimmed = (line: string, from: number, to: number): string =>
  columns(line, from, to).trim().replace(/\s+/g, " ")

/** `ddMMyy` or `yyMMdd`. */
export const dayIn = (text: string, order: "dmy" | "ymd"): Day.Day | undefined => {
  if (!/^\d{6}$/.test(text)) return undefined
  const [a, b, c] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number) as [number, number, number]
  return order === "dmy" ? Day.make(2000 + c, b, a) : Day.make(2000 + a, b, c)
}

/** Digits with so many decimal places; what the currency does not have has to be zero. */
export const amountIn = (digits: string, places: number, currency: string, field: string): Decimal.Decimal => {
  if (!/^\d{1,15}$/.test(digits)) throw new Fault(field, `${JSON.stringify(digits)} is not an amount`)
  if (!Currency.isCurrency(currency)) throw new Fault("currency", `${JSON.stringify(currency)} is not a currency`)
  const own = Currency.decimals(currency)
  const minor = BigInt(digits)
  if (own >= places) return Currency.ofMinor(minor * 10n ** BigInt(own - places), currency)
  const step = 10n ** BigInt(places - own)
  if (minor % step !== 0n) throw new Fault(field, `${JSON.stringify(digits)} is finer than ${currency}`)
  return Currency.ofMinor(minor / step, currency)
}

/** A balance, or undefined where it cannot be read. */
export const balanceOf = (read: () => Decimal.Decimal, currency: string): Balance | undefined => {
  try {
    return { amount: read(), currency }
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** The first rule of its format that a statement breaks: then nothing in it is used. */
export class Rules {
  wrong: string | undefined

  broken(what: string, line?: number): void {
    this.wrong ??=
      line === undefined ? what : `line ${line}: ${what}. Nothing in the statement is used; get it from the bank again`
  }

  clear(): void {
    this.wrong = undefined
  }
}

/** Letters of code page 850 from byte 128 on, as far as it has letters, and the capitals with accents behind them. */
const DOS = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº"
const DOS_CAPITALS: Readonly<Record<number, string>> = {
  181: "Á",
  182: "Â",
  183: "À",
  210: "Ê",
  211: "Ë",
  212: "È",
  214: "Í",
  216: "Ï",
  224: "Ó",
  225: "ß",
  226: "Ô",
  227: "Ò",
  233: "Ú",
  234: "Û",
  235: "Ù"
}

/** Windows-1252 from byte 128 to 159. */
const WINDOWS = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 32 }, (_, n) => 128 + n))

const byteOf = (character: string): number => {
  const at = WINDOWS.indexOf(character)
  return at < 0 ? (character.codePointAt(0) ?? 0) : 128 + at
}

/** Beside a letter, these characters of windows-1252 are letters of code page 850: üéäàçêÉíóúñÑ. */
const STRANGE = /[A-Za-z][\u0081\u0090¡¢£¤¥‚„…‡ˆ]|[\u0081\u0090¡¢£¤¥‚„…‡ˆ][A-Za-z]/

/** The text in code page 850 where it was not windows-1252: older programs of banks write it. */
const fromDos = (text: string): string =>
  !STRANGE.test(text) || /[À-ÿ]/.test(text.replace(/[ÒÓÔÖØàáâãéêë]/g, ""))
    ? text
    : text.replace(/[^\p{ASCII}]/gu, (character) => {
        const byte = byteOf(character)
        return DOS[byte - 128] ?? DOS_CAPITALS[byte] ?? character
      })

/** Programs of old end a file with it. */
const END = /\u001a+$/

/** The lines of a file of one of these formats. */
export async function* plainLines(source: Source): AsyncGenerator<ReadonlyArray<Line>> {
  const isLatin = source.encoding === "windows-1252"
  for await (const batch of lines(source))
    yield batch.map((one) => {
      const text = one.text.replace(END, "")
      return { ...one, text: isLatin ? fromDos(text) : text }
    })
}
