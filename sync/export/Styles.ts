/**
 * Defines the formats of cells: one for each type, one for each number of decimals of an amount, the same again in bold for
 * totals, and those of the header row.
 *
 * Numbers are right-aligned with an indent, so that they do not touch the text of the next column; days and instants, which
 * all have the same length, are left-aligned. A heading is aligned like its column.
 */
import { DECIMAL_PLACES } from "../../core/money/Decimal.ts"

/** Indices into the workbook's table of formats. */
export const STYLE = {
  text: 0,
  /** Text that stays text when the cell is edited, although it looks like a number or a formula. */
  quoted: 1,
  /** A number with too many digits, as right-aligned text. */
  long: 2,
  integer: 3,
  date: 4,
  instant: 5
} as const

/** An amount without decimals; the following indices have one decimal and so on. */
export const MONEY = 6

/** The offset of the same format in bold. */
export const BOLD = MONEY + DECIMAL_PLACES + 1

export const HEAD = 2 * BOLD

/** The heading of a column of numbers. */
export const HEAD_OF_NUMBERS = HEAD + 1

const FIRST_OWN_FORMAT = 164
const DATE = FIRST_OWN_FORMAT
const INSTANT = FIRST_OWN_FORMAT + 1
const AMOUNT = FIRST_OWN_FORMAT + 2

const format = (decimals: number): string => (decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals)}`)

const amounts = Array.from({ length: DECIMAL_PLACES + 1 }, (_, decimals) => ({
  id: AMOUNT + decimals,
  code: format(decimals)
}))

interface Look {
  readonly numFmt?: number
  /** The attributes of `alignment`. */
  readonly aligned?: string
  readonly quoted?: boolean
}

const NUMBER = 'horizontal="right" indent="1"'
const MOMENT = 'horizontal="left"'

const LOOKS: ReadonlyArray<Look> = [
  {},
  { quoted: true },
  { quoted: true, aligned: NUMBER },
  { numFmt: 1, aligned: NUMBER },
  { numFmt: DATE, aligned: MOMENT },
  { numFmt: INSTANT, aligned: MOMENT },
  ...amounts.map(({ id }) => ({ numFmt: id, aligned: NUMBER }))
]

const xf = (font: number, { aligned, numFmt = 0, quoted }: Look): string =>
  `<xf numFmtId="${numFmt}" fontId="${font}" fillId="0" borderId="0" xfId="0"` +
  `${numFmt === 0 ? "" : ' applyNumberFormat="1"'}${font === 0 ? "" : ' applyFont="1"'}` +
  `${quoted === true ? ' quotePrefix="1"' : ""}` +
  (aligned === undefined ? "/>" : ` applyAlignment="1"><alignment ${aligned}/></xf>`)

const headXf = (aligned: string): string =>
  '<xf numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1" ' +
  `applyAlignment="1"><alignment ${aligned}/></xf>`

const HEADS = [
  headXf('horizontal="left"'),
  // The filter's button covers the right end of its cell.
  headXf('horizontal="right" indent="2"')
]

const NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

export const stylesXml = (): string => {
  const xfs = [...LOOKS.map((look) => xf(0, look)), ...LOOKS.map((look) => xf(1, look)), ...HEADS]
  const formats = [{ id: DATE, code: "yyyy\\-mm\\-dd" }, { id: INSTANT, code: "yyyy\\-mm\\-dd\\ hh:mm:ss" }, ...amounts]
  const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`
  return (
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><styleSheet xmlns="${NS}">` +
    `<numFmts count="${formats.length}">` +
    formats.map(({ code, id }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join("") +
    `</numFmts><fonts count="2">${font("")}${font("<b/>")}</fonts>` +
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE8EDF3"/><bgColor indexed="64"/></patternFill></fill></fills>' +
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>' +
    '<border><left/><right/><top/><bottom style="thin"><color rgb="FF8899AA"/></bottom><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${xfs.length}">${xfs.join("")}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}
