/**
 * A workbook (XLSX), written in constant memory: head frozen and in bold, with a filter on every column.
 *
 * Written by our own hands, though `hucre` reads workbooks for us: what it streams is one sheet to a workbook with one
 * format to a column, and the books want seven sheets, formats by the currency of the row, a head, totals and filters;
 * what it writes with all that, it holds in memory until the end, and its archive writer is not for others to call.
 *
 * A sheet that is longer than a workbook's sheets can be goes on in `Calls 2`, head and all. Strings stand in their
 * cells and not in a shared table, which would have to be held until the end.
 */
import type { Column, Row, Sheet } from "../reports/Sheets.ts"
import { cell, content } from "./CellXml.ts"
import type { Format, SheetWriter } from "./Format.ts"
import { OutputFile } from "./OutputFile.ts"
import { HEAD, HEAD_OF_NUMBERS, stylesXml } from "./Styles.ts"
import { Zip } from "./Zip.ts"
import { given } from "../../core/Entry.ts"

const SHEET = "a sheet"

/** Rows that a sheet of a workbook can have, the head included. */
export const MOST_ROWS = 1_048_576

/** Bytes after which a sheet goes on in the next one, well below the 4 GiB that a part can have. */
const MOST_BYTES = 3 * 2 ** 30

/** Characters that are gathered before they are compressed. */
const PIECE_CHARACTERS = 1 << 17

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

/** `A`, `B`, ... `AA`. */
const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26)

/** One sheet as it stands in the file. */
interface Written {
  /** The sheet that it is, or that it goes on with. */
  readonly of: string
  readonly name: string
  readonly part: number
  /** In columns. */
  readonly width: number
  /** The head included. */
  readonly rows: number
}

/** Room for what usually stands there, and for the head in bold beside the button of its filter. */
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
  // Ids and long amounts are text on purpose: no green corner on each of them.
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
