/** What a format of numbers says of the cells that have it: dates, decimals, zeros in front, and a currency. */
import * as Currencies from "../../tabular/Currencies.ts"
import { isDateFormat } from "./DateFormat.ts"

export interface NumberFormat {
  readonly isDate: boolean
  /** The decimals that are shown; undefined if it shows as many as there are. */
  readonly places?: number
  /** It shows hundredths as per cent, with their sign. */
  readonly isPercent?: true
  /** The sign or code of the currency that is shown. */
  readonly currency?: string
  /** Digits of a number that is shown with zeros in front. */
  readonly digits?: number
}

/** Decimals of the formats that a workbook need not spell out. */
const BUILT_IN: Readonly<Record<number, number>> = { 2: 2, 4: 2, 7: 2, 8: 2, 39: 2, 40: 2, 44: 2 }

const currencyOf = (section: string): string | undefined => {
  // [$€-407], "kr", \€, or the sign itself.
  const shown = section
    .replace(/\[\$([^[\]-]*)(?:-[^[\]]*)?\]/g, "$1")
    .replace(/\[[^[\]]*\]|_.|\*./g, "")
    .replace(/["\\]/g, "")
    .replace(/[#0?.,;()%-]+/g, " ")
  const [sign, ...others] = new Set([...shown.matchAll(Currencies.SIGN)].map(([one]) => one))
  return sign !== undefined && others.length === 0 ? sign : undefined
}

export const numberFormat = (id: number, code: string | undefined): NumberFormat => {
  if (isDateFormat(id, code)) return { isDate: true }
  if (code === undefined || code === "") {
    const places = BUILT_IN[id]
    const percent = id === 9 || id === 10 ? ({ isPercent: true } as const) : {}
    return { isDate: false, ...(places === undefined ? {} : { places }), ...percent }
  }
  const [section = ""] = code.split(";")
  const bare = section.replace(/"[^"]*"|\\.|\[[^[\]]*\]|_.|\*./g, "")
  const currency = currencyOf(section)
  const isPercent = bare.includes("%")
  const decimals = isPercent ? undefined : /0\.(0+)(?![#?0])/.exec(bare)?.[1]?.length
  return {
    isDate: false,
    ...(isPercent ? { isPercent } : {}),
    ...(decimals === undefined ? {} : { places: decimals }),
    ...(currency === undefined ? {} : { currency }),
    ...(/^0{2,}$/.test(bare.trim()) ? { digits: bare.trim().length } : {})
  }
}

/** A share as per cent with all its digits: 0.055 is 5.5 %. */
export const asPercent = (value: number): string => `${Number(Number(`${value.toPrecision(15)}e2`).toPrecision(13))} %`

/** A cent: a cell whose value is further from what it shows is not read as shown. */
const CENT = 0.01

/** What a cell shows of a number that has more decimals; undefined if that is further than half a cent away. */
export const roundedTo = (value: number, places: number): string | undefined => {
  // Through the fifteen digits that a workbook shows, so that 1.005 is not a little less.
  const exact = value.toPrecision(15)
  const scaled = Number(`${Number(exact)}e${places}`)
  const rounded = Number(`${Math.sign(scaled) * Math.round(Math.abs(scaled))}e-${places}`)
  return Math.abs(rounded - value) <= CENT / 2 + 1e-9 ? rounded.toFixed(places) : undefined
}
