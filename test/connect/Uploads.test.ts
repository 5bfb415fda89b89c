/** Files that come with a form, byte by byte: what is kept, under which name, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { Readable } from "node:stream"
import { contrast, textOn } from "../../cli/connect/Brand.ts"
import { LARGEST_BYTES, MOST_FILES, receive } from "../../cli/connect/Uploads.ts"
import { desk } from "../support/Cli.ts"

interface Sent {
  readonly name: string
  readonly content: string | Buffer
}

const BOUNDARY = "x-daybook-x"

const bytesOf = (files: ReadonlyArray<Sent>, word: string): Buffer => {
  const field = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="form"\r\n\r\n${word}\r\n`
  const parts = files.map(({ content, name }) =>
    Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`
      ),
      Buffer.from(content),
      Buffer.from("\r\n")
    ])
  )
  return Buffer.concat([Buffer.from(field), ...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

const send = async (
  files: ReadonlyArray<Sent>,
  {
    before = [],
    cut = 0,
    piece = 65_536,
    word = "ours"
  }: { word?: string; piece?: number; cut?: number; before?: Parameters<typeof receive>[2]["before"] } = {}
) => {
  const here = desk()
  const all = bytesOf(files, word)
  const bytes = all.subarray(0, all.length - cut)
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, n) =>
    bytes.subarray(n * piece, (n + 1) * piece)
  )
  const folder = here.path("uploads")
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` }
  const isForm = (text: string) => text === "ours"
  const done = await receive(Readable.from(pieces), headers, { folder, before, isForm, endings: [".mt940"] })
  return { done, folder, kept: existsSync(folder) ? readdirSync(folder) : [] }
}

const refusedOf = async (files: ReadonlyArray<Sent>, options: Parameters<typeof send>[1] = {}): Promise<string> => {
  const { done, kept } = await send(files, options)
  assert.deepStrictEqual(kept, [], "nothing is left of it")
  return "refused" in done ? done.refused : "taken"
}

describe("files of a form", () => {
  it("are kept as they are, in whatever pieces they come, under names that lead nowhere", async () => {
    const content = `a,b\r\n1,2\r\n--${BOUNDARY.slice(0, -1)}\r\n`
    for (const piece of [1, 7, 65_536]) {
      const { done, folder, kept } = await send(
        [
          { name: "../../etc/passwd.csv", content },
          { name: "C:\\\\books\\\\passwd.csv", content: "x" },
          { name: "Größe 1.MT940", content: "y" },
          { name: "list", content: "z" },
          { name: "book.csv", content: "PK\x03\x04 a workbook" }
        ],
        { piece }
      )
      assert.deepStrictEqual("refused" in done ? done.refused : "", "", `in pieces of ${piece}`)
      assert.sameMembers(kept, ["passwd.csv", "passwd-2.csv", "Gr-e-1.mt940", "list.csv", "book.xlsx"])
      assert.strictEqual(readFileSync(`${folder}/passwd.csv`, "utf8"), content)
    }
  })

  it("are refused together where one cannot be used, and say why", async () => {
    const good = { name: "good.csv", content: "a,b\n" }
    const refused = (content: string | Buffer, name = "list.csv") => refusedOf([good, { name, content }])
    assert.include(await refused("%PDF-1.7"), "it is a PDF")
    assert.include(await refused("<!DOCTYPE html><p>"), "it is a web page")
    assert.include(await refused(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])), "Excel 97")
    assert.include(await refused(Buffer.from([1, 0, 2])), "neither text nor a workbook")
    assert.include(await refused(""), "it is empty")
    assert.include(await refused(Buffer.alloc(LARGEST_BYTES + 1, "a")), "has more than 25 MB")
    assert.include(
      await refusedOf(Array.from({ length: MOST_FILES + 1 }, (_, n) => ({ name: `${n}.csv`, content: "a,b\n" }))),
      "At most 10 files"
    )
    const before = [{ shown: "big.csv", name: "big.csv", bytes: 100 * 2 ** 20 }]
    assert.include(await refusedOf([good], { before }), "together have more than 100 MB")
  })

  it("are not taken of a form that is not the session's own, nor of one that was cut off", async () => {
    const good = { name: "good.csv", content: "a,b\n" }
    assert.include(await refusedOf([good], { word: "theirs" }), "belongs to another session")
    assert.include(await refusedOf([good], { cut: 10 }), "try again")
  })
})

describe("the colour of a platform", () => {
  it("has text on it that can be read, whatever it is", () => {
    for (const colour of ["#ffd500", "#0b5fff", "#777777", "#757575", "#000000", "#ffffff", "#ff0000", "#00ff00"])
      assert.isAtLeast(contrast(colour, textOn(colour)), 4.5, colour)
    assert.strictEqual(textOn("#ffd500"), "#000000")
    assert.strictEqual(textOn("#0b3fff"), "#ffffff")
  })
})
