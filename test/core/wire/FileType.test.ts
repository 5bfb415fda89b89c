/**
 * What a file is, by its content: a name that ends in `.pdf` makes no PDF.
 */
import { describe, expect, test } from "vitest"
import { KNOWN, named, of, PDF } from "../../../core/wire/FileType.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))))

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

describe("what is known", () => {
  test.each([
    ["PDF", bytes("%PDF-1.7\n…\n%%EOF\n")],
    ["PDF", bytes([0xef, 0xbb, 0xbf], "\r\n%PDF-1.4\n%%EOF", "written behind its end ".repeat(20))],
    ["PNG", bytes(PNG, "IHDR…", [0, 0, 0, 0], "IEND", [0xae, 0x42, 0x60, 0x82])],
    ["JPEG", bytes([0xff, 0xd8, 0xff, 0xe0], "JFIF")]
  ])("%s", (name, content) => {
    expect(of(content)).toMatchObject({ name })
  })

  test("a part of a larger buffer is judged alone", () => {
    const within = bytes("before", "%PDF-1.7\n%%EOF").subarray(6)
    expect(of(within)).toBe(PDF)
  })
})

describe("what is not, and why", () => {
  test.each([
    ["empty", bytes(), "the file is empty"],
    ["cut off in the middle", bytes("%PDF-1.7\n", "x".repeat(3000)), "the PDF has no end: it is cut off"],
    ["a PNG that is cut off", bytes(PNG, "IHDR"), "the PNG has no end: it is cut off"],
    ["a page that says it is not found", bytes("<html>%PDF- was not found %%EOF"), `the file is not a ${KNOWN}`],
    ["a program", bytes("MZ", [0x90, 0]), `the file is not a ${KNOWN}`],
    ["shorter than any signature", bytes([0xff]), `the file is not a ${KNOWN}`]
  ])("%s", (_, content, why) => {
    expect(of(content)).toEqual({ why })
  })
})

test("a name gets the ending of what the file is, unless it has it", () => {
  expect([named("INV-1", PDF), named("INV-1.PDF", PDF), named("INV-1.doc", PDF)]).toEqual([
    "INV-1.pdf",
    "INV-1.PDF",
    "INV-1.doc.pdf"
  ])
})
