/** What shows that a ledger file was damaged, where it states no totals: each field's grammar, numbers, letters, days, and how it ends. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bytes } from "../files/Programs.ts"
import { fec, pullFrom, receipt, sale } from "./Fec.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "daybook-damaged-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const words = async (file: string, text: string): Promise<ReadonlyArray<string>> => {
  writeFileSync(join(folder, file), Buffer.from(text, "latin1"))
  const { notices, refused } = await pullFrom(folder)
  return [...refused, ...notices]
}

describe("a damaged batch of DATEV", () => {
  const whole = Buffer.from(bytes("datev-extf.csv")).toString("latin1")
  const lines = whole.split("\r\n")

  it.each([
    ["an amount that lost its comma", whole.replace("86,46", "8646"), "with two decimals, as 119,00"],
    ["a text that does not end", whole.slice(0, whole.lastIndexOf("bedarf")), "does not end with a quote"],
    [
      "a row that swallowed another",
      whole.replace(/(;503);[^\n]*\n[^\n]*;"RE-2609"/, '$1;x;"RE-2609"'),
      "it has 15 cells"
    ],
    ["a character that nobody writes", whole.replace("RE-2607", "RE-26\u000107"), "a character that nobody can write"],
    ["blanks for digits", whole.replace("10002;1200", "   2;1200"), '"   2" is neither an account'],
    ["no beginning of the year", whole.replace(";20260101;4;", ";2026x101;4;"), "on which day the year begins"],
    ["accounts of 9 digits", whole.replace(";20260101;4;", ";20260101;9;"), "how many digits accounts have"],
    ["other accounts", whole.replace(";20260101;4;", ";20260101;6;"), "none of its postings is with a customer"],
    ["no names of columns", [lines[0], lines[2], ...lines.slice(3)].join("\r\n"), "does not name the columns"],
    [
      "names and a row in one line",
      whole.replace(/Skonto;Buchungstext\r\n[^;]*;"S"/, 'Skonto;48,11;"H"'),
      "does not name"
    ],
    ["no rows", lines.slice(0, 2).join("\r\n"), "it has no postings"],
    [
      "a day of another time",
      whole.replace(";2502;", ";2511;"),
      "of other days than the first line says (2026-01-01 to 2026-03-31)"
    ],
    [
      "an invoice that is not there",
      lines.filter((line) => !line.includes("RE-2607")).join("\r\n"),
      "invoices are numbered from RE-2601 to RE-2609, and there are 8"
    ],
    [
      "a row that is cut off",
      [...lines.slice(0, -2), `59,50${";".repeat(124)}`]
        .join("\r\n")
        .replace(/(Buchungstext)/, `$1${";x".repeat(120)}`),
      "rows have fewer cells than others"
    ]
  ] as const)("says so: %s", async (_, text, why) => {
    const said = await words("EXTF_Buchungsstapel.csv", text)
    expect(said.join("\n")).toContain(why)
  })

  it("reads no amount whose comma was lost", async () => {
    expect(await words("EXTF_Buchungsstapel.csv", whole.replaceAll("86,46", "8646"))).toHaveLength(3)
    expect((await pullFrom(folder)).said).not.toContain("invoice RE-2603 8646.00")
  })

  it("is read without a word while it is whole", async () => {
    expect(await words("EXTF_Buchungsstapel.csv", whole)).toEqual([])
  })
})

describe("a damaged FEC", () => {
  const whole = fec([
    sale("1", "20260305", "C1", "121,00", "R-1", "A"),
    sale("2", "20260306", "C2", "60,00", "R-2", "A"),
    receipt("1", "20260401", "C1", "121,00", "V-1", "A"),
    receipt("2", "20260402", "C2", "60,00", "V-2", "A"),
    sale("3", "20260406", "C3", "240,00", "R-3")
  ])
  const lines = whole.split("\r\n")
  const named = (from: string, to: string) => whole.replaceAll(from, to)
  const numbered = (numbers: ReadonlyArray<string>) =>
    fec(
      numbers
        .map((one, n) => sale(one, "20260305", "C1", "60,00", `R-${n}`))
        .map((one, n) => one.replace(/^VE/, numbers[n]!.slice(0, 2)))
    )
  const without = (text: string) => lines.filter((line) => !line.includes(text)).join("\r\n")

  it.each([
    ["neither a debit nor a credit", whole.replace("121,00\t0,00", "\t"), "debit"],
    ["a piece of no day", whole.replace("R-1\t20260305", "R-1\t2026030"), "is not a calendar day"],
    ["a letter without its other side", without("V-2"), "no other line of the customer has its letter"],
    [
      "a letter whose lines do not come to 0.00",
      fec([sale("1", "20260305", "C1", "120,00", "R-1", "A"), receipt("1", "20260401", "C1", "50,00", "V-1", "A")]),
      "the lines with its letter do not come to 0.00"
    ],
    ["a last line that is cut off", whole.slice(0, -4), "only its last line has fewer columns"],
    ["an account of nobody", whole.replace("411\t411\tC2", "511\t411\tC2"), "on an account of nobody"],
    [
      "an entry that is gone where another one's number is there twice",
      numbered(["VE1", "VE2", "VE4", "VE5", "VE4", "BQ1", "BQ900"]),
      "entries of journal VE are numbered from VE1 to VE5, and there are 4"
    ],
    [
      "an entry whose number another day has, too, and a line of each gone",
      fec([
        "BQ 1 20260208: 512 D 50,00 P-1 - | 411/C1 C 50,00 P-1 -",
        "BQ 2 20260213: 411/C1 D 50,00 P-2 - | 512 C 50,00 P-2 -",
        "BQ 1 20260220: 512 D 50,00 P-3 - | 411/C1 C 50,00 P-3 -"
      ])
        .split("\r\n")
        .filter((line) => !/C1.*P-1|512.*P-3/.test(line))
        .join("\r\n"),
      "an entry is balanced only over several days"
    ],
    [
      "an account with another's name",
      named("\t411\t411\t", "\t41100000\tClients\t").replace("41100000\tClients\tC2", "40100000\tClients\tC2"),
      "account 40100000, which only line 5 has, has the name of account 41100000 (Clients)"
    ],
    ["nothing but names of columns", `${lines[0]}\r\n`, "it has no entries"]
  ] as const)("says so: %s", async (_, text, why) => {
    expect((await words("123456789FEC20261231.txt", text)).join("\n")).toContain(why)
  })

  it("is read without a word while it is whole, and where an account of few lines has its own name", async () => {
    expect(await words("123456789FEC20261231.txt", whole)).toEqual([])
    expect(await words("123456789FEC20261231.txt", named("\t411\t411\t", "\t41100000\tClients\t"))).toEqual([])
  })
})
