/**
 * Writes a workbook (XLSX) in constant memory, with a frozen bold header row and a filter on every column.
 *
 * We write it ourselves: the streaming writer of `hucre` supports one sheet with one format for each column, but the books
 * need seven sheets, formats by the row's currency, a header, totals and filters. Its full writer holds everything in memory
 * until the end, and its archive writer is not public.
 *
 * A sheet that exceeds the format's limits continues in `Calls 2`, with its header. Strings are in their cells instead of a
 * shared table, which would have to be held in memory until the end.
 */
import type { Column, Row, Sheet } from "../reports/Sheets.ts"
import { cell, content } from "./CellXml.ts"
import type { Format, SheetWriter } from "./Format.ts"
import { OutputFile } from "./OutputFile.ts"
import { HEAD, HEAD_OF_NUMBERS, stylesXml } from "./Styles.ts"
import { Zip } from "./Zip.ts"
import { given } from "../../core/Entry.ts"

const SHEET = "a sheet"

/** The most rows in a sheet, including the header. */
export const MOST_ROWS = 1_048_576

/** The size after which a sheet continues in the next one, well below the 4 GiB limit of a part. */
const MOST_BYTES = 3 * 2 ** 30

/** How many characters are collected before they are compressed. */
const PIECE_CHARACTERS = 1 << 17

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

/** `A`, `B`, ... `AA`. */
const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26)

/** One sheet in the file. */
interface Written {
  /** The sheet that it is, or that it continues. */
  readonly of: string
  readonly name: string
  readonly part: number
  /** In columns. */
  readonly width: number
  /** Including the header. */
  readonly rows: number
}

/** The width for typical contents, and for the bold heading beside its filter button. */
const widthOf = ({ name, width }: Column): number => Math.max(width + 2, Math.ceil(name.length * 1.1) + 4)

const prelude = (columns: ReadonlyArray<Column>): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
  '<sheetViews><sheetView workbookViewId="0">' +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>' +
  `<sheetFormatPr defaultRowHeight="15"/><cols>${columns
    .map((column, i) => `<col min="${i + 1}" max="${i + 1}" width="${widthOf(column)}" customWidth="1"/>`)
    .join("")}</cols><sheetData>`

const coda = (columns: ReadonlyArray<Column>, rows: number): string => {
  const last = letters(columns.length - 1)
  // Ids and long amounts are text on purpose: suppresses the warning on each of them.
  const text = `<ignoredErrors><ignoredError sqref="A1:${last}${rows}" numberStoredAsText="1"/></ignoredErrors>`
  return (
    `</sheetData><autoFilter ref="A1:${last}${rows}"/>` +
    '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>' +
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>' +
    `<headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>${text}</worksheet>`
  )
}

const head = (columns: ReadonlyArray<Column>): string =>
  `<row r="1">${columns
    .map(({ name, type }, i) => {
      const style = type === "money" || type === "integer" ? HEAD_OF_NUMBERS : HEAD
      return `<c r="${letters(i)}1" t="inlineStr" s="${style}"><is><t>${content(name)}</t></is></c>`
    })
    .join("")}</row>`

const workbookXml = (sheets: ReadonlyArray<Written>): string => {
  const defined = sheets.map(({ name, rows, width }, i) => {
    const last = letters(width - 1)
    return (
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">'${name}'!$A$1:$${last}$${rows}</definedName>` +
      `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">'${name}'!$1:$1</definedName>`
    )
  })
  return (
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets>` +
    sheets.map(({ name, part }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${part}"/>`).join("") +
    `</sheets><definedNames>${defined.join("")}</definedNames></workbook>`
  )
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`

const relations = (all: ReadonlyArray<string>) =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`

const contentTypes = (sheets: ReadonlyArray<Written>): string =>
  `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${OFFICE}.sheet.main+xml"/>` +
  sheets
    .map(({ part }) => `<Override PartName="/xl/worksheets/sheet${part}.xml" ContentType="${OFFICE}.worksheet+xml"/>`)
    .join("") +
  `<Override PartName="/xl/styles.xml" ContentType="${OFFICE}.styles+xml"/></Types>`

class WorkbookWriter implements SheetWriter {
  readonly #file: OutputFile
  readonly #zip: Zip
  readonly #mostRows: number
  readonly #written: Array<Written> = []
  #sheet: Sheet | undefined
  #columns: ReadonlyArray<readonly [letter: string, type: Column["type"]]> = []
  /** Rows in the current sheet of the file. */
  #rows = 0
  #text = ""

  constructor(file: OutputFile, mostRows: number) {
    this.#file = file
    this.#zip = new Zip(file)
    this.#mostRows = mostRows
  }

  readonly begin = async (sheet: Sheet): Promise<void> => {
    this.#sheet = sheet
    this.#columns = sheet.columns.map(({ type }, i) => [letters(i), type])
    await this.#open()
  }

  readonly write = async (rows: ReadonlyArray<Row>): Promise<void> => {
    for (const row of rows) {
      if (this.#rows === this.#mostRows || this.#zip.size > MOST_BYTES) {
        await this.#close()
        await this.#open()
      }
      this.#text += this.#row(row)
      if (this.#text.length > PIECE_CHARACTERS) await this.#flush()
    }
  }

  readonly end = (): Promise<void> => this.#close()

  readonly commit = async (shown: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const sheets = this.#written.toSorted((a, b) => shown.indexOf(a.of) - shown.indexOf(b.of) || a.part - b.part)
    const styles = sheets.length + 1
    await this.#zip.add("xl/styles.xml", stylesXml())
    await this.#zip.add("xl/workbook.xml", workbookXml(sheets))
    await this.#zip.add(
      "xl/_rels/workbook.xml.rels",
      relations([
        ...sheets.map(({ part }) => relation(`rId${part}`, "worksheet", `worksheets/sheet${part}.xml`)),
        relation(`rId${styles}`, "styles", "styles.xml")
      ])
    )
    await this.#zip.add("_rels/.rels", relations([relation("rId1", "officeDocument", "xl/workbook.xml")]))
    await this.#zip.add("[Content_Types].xml", contentTypes(sheets))
    await this.#zip.finish()
    await this.#file.close()
    await this.#file.commit()
    return [this.#file.path]
  }

  readonly discard = (): Promise<void> => this.#file.discard()

  readonly #open = async (): Promise<void> => {
    const { columns } = given(this.#sheet, SHEET)
    await this.#zip.begin(`xl/worksheets/sheet${this.#written.length + 1}.xml`)
    this.#text = prelude(columns) + head(columns)
    this.#rows = 1
  }

  readonly #close = async (): Promise<void> => {
    const { columns, name } = given(this.#sheet, SHEET)
    this.#text += coda(columns, this.#rows)
    await this.#flush()
    await this.#zip.end()
    const nth = this.#written.filter(({ of }) => of === name).length + 1
    this.#written.push({
      of: name,
      name: nth === 1 ? name : `${name} ${nth}`,
      part: this.#written.length + 1,
      width: columns.length,
      rows: this.#rows
    })
  }

  readonly #flush = async (): Promise<void> => {
    const bytes = Buffer.from(this.#text)
    this.#text = ""
    await this.#zip.write(bytes)
  }

  readonly #row = (row: Row): string => {
    const { currency, isTotal } = given(this.#sheet, SHEET)
    const n = ++this.#rows
    const code = currency < 0 ? "" : String(row[currency] ?? "")
    const total = isTotal?.(row) === true
    let xml = `<row r="${n}">`
    for (const [i, [letter, type]] of this.#columns.entries()) xml += cell(letter + n, row[i], type, code, total)
    return `${xml}</row>`
  }
}

export const workbook = (mostRows: number = MOST_ROWS): Format => ({
  ending: ".xlsx",
  open: async (file) => new WorkbookWriter(await OutputFile.create(file), mostRows)
})
