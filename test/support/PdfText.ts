/** Extracts the text of a PDF with uncompressed streams, as a reader would copy it: by each font's own character map. */

/** A PDF's objects by number, found by the table at its end, as readers do. */
const objectsOf = (text: string): ReadonlyMap<number, string> => {
  const table = Number(/startxref\n(\d+)\n%%EOF\n?$/.exec(text)?.[1])
  const rows = text.slice(table).split("\n")
  if (rows[0] !== "xref") throw new Error("there is no table of objects where the end of the file says")
  const objects = new Map<number, string>()
  for (const [n, row] of rows.slice(2, 2 + Number(rows[1]?.split(" ")[1])).entries()) {
    if (!row.includes(" n")) continue
    const at = Number(row.slice(0, 10))
    const head = `${n} 0 obj`
    if (text.slice(at, at + head.length) !== head) throw new Error(`object ${n} is not where the table says`)
    objects.set(n, text.slice(at + head.length, text.indexOf("\nendobj", at)))
  }
  return objects
}

const bytesOf = (hex: string): ReadonlyArray<string> => hex.match(/.{4}/g) ?? []

/** The characters that glyphs stand for. */
const charactersOf = (map: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [, first, , list] of map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[(.*?)\]/g))
    for (const [n, [, units]] of [...(list ?? "").matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first ?? "", 16) + n).toString(16).padStart(4, "0")
      found.set(
        glyph,
        bytesOf((units ?? "").replaceAll(" ", ""))
          .map((one) => String.fromCharCode(Number.parseInt(one, 16)))
          .join("")
      )
    }
  return found
}

const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN)

/** The texts of all pages in the order written; a line with several fonts is in pieces. */
export const copied = (pdf: Buffer): ReadonlyArray<string> => {
  const objects = objectsOf(pdf.toString("latin1"))
  const at = (n: number): string => objects.get(n) ?? ""
  const texts: Array<string> = []
  for (const page of [...objects.values()].filter((one) => one.includes("/Type /Page\n"))) {
    const resources = at(number(page, /\/Resources (\d+) 0 R/))
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, n]) => {
        const map = at(number(at(Number(n)), /\/ToUnicode (\d+) 0 R/))
        return [name, charactersOf(map)]
      })
    )
    let font: string | undefined
    for (const [, name, shown] of at(number(page, /\/Contents (\d+) 0 R/)).matchAll(
      /\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g
    )) {
      if (shown === undefined) {
        font = name
        continue
      }
      const glyphs = [...shown.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, piece]) => bytesOf(piece ?? ""))
      texts.push(glyphs.map((glyph) => fonts.get(font)?.get(glyph) ?? "□").join(""))
    }
  }
  return texts
}
