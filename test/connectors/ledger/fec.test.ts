/** What the accounting entries of a FEC become, with lettering as allocation, over one year and over two. */
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ledger } from "../../../connectors/ledger/Ledger.ts"
import { layoutOf } from "../../../connectors/ledger/fec/Lines.ts"
import { fec, type How, pullFrom, receipt, sale } from "./Fec.ts"
import { times } from "../../support/Effort.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "daybook-fec-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const NOW = "123456789FEC20261231.txt"
const BEFORE = "123456789FEC20251231.txt"

const put = (name: string, entries: ReadonlyArray<string>, how: How = {}, encoding: BufferEncoding = "utf8"): void => {
  writeFileSync(join(folder, name), Buffer.from(fec(entries, how), encoding))
  utimesSync(join(folder, name), 1_000_000, 1_000_000)
}

const pull = (settings = {}) => pullFrom(folder, settings)

const YEAR = [
  sale("1", "20260105", "C1", "120,00", "FA-1", "AA"),
  sale("2", "20260106", "C2", "240,00", "FA-2", "AA"),
  sale("3", "20260107", "C2", "60,00", "FA-3"),
  receipt("4", "20260204", "C1", "120,00", "VIR-1", "AA"),
  receipt("5", "20260203", "C2", "240,00", "PR-2", "AA"),
  "BQ 6 20260210: 411/C2 D 240,00 RJ-2 AA Rejet prélèvement | 512 C 240,00 RJ-2",
  "VE 7 20260211: 411/C2 C 240,00 AV-1 AA Avoir FA-2 | 706 D 200,00 AV-1 | 44571 D 40,00 AV-1"
]
const YEAR_SAID = [
  "invoice C1:FA-1 120.00 open 0.00",
  "payment 2026-02-04 120.00 of C1:FA-1",
  "invoice C2:FA-2 240.00 open 0.00",
  "invoice C2:FA-3 60.00 open 60.00",
  "payment 2026-02-03 240.00 of C2:FA-2",
  "reversal error 2026-02-10 240.00 of C2:FA-2",
  "credit_note 2026-02-11 240.00 of C2:FA-2"
]

describe("a FEC", () => {
  it.each<[string, How, BufferEncoding]>([
    ["tabs, UTF-8", {}, "utf8"],
    ["pipes, ISO-8859", { separator: "|" }, "latin1"],
    ["Montant and Sens", { sides: true }, "utf8"],
    ["Montant and Sens, pipes, ISO-8859", { sides: true, separator: "|" }, "latin1"]
  ])("is read with %s", async (_, how, encoding) => {
    put(NOW, YEAR, how, encoding)
    const { read, said, stated } = await pull()
    expect(said).toEqual(YEAR_SAID)
    expect(read[2]?.document).toMatchObject({ party: { id: "C2", name: "Café Lumière" }, net: 20_000_000_000n })
    expect(stated).toMatchObject([
      { what: "closing balance", column: "411", amount: 6_000_000_000n, read: 6_000_000_000n }
    ])
  })

  it("tells ISO-8859-15 from windows-1252 by the bytes that only one has", async () => {
    const text = (bytes: ReadonlyArray<number>) =>
      Buffer.concat(
        fec([sale("1", "20260105", "C3", "120,00", "FA-1")])
          .split("œ")
          .flatMap((part, n) =>
            n === 0 ? [Buffer.from(part, "latin1")] : [Buffer.from(bytes), Buffer.from(part, "latin1")]
          )
      )
    for (const byte of [0xbd, 0x9c]) {
      writeFileSync(join(folder, NOW), text([byte]))
      expect((await pull()).read[0]?.document).toMatchObject({ party: { name: "Hôtel du Bœuf" } })
    }
  })

  it("has amounts with dots, blanks and zeros before them, and dates of other forms", async () => {
    const text = fec([sale("1", "20260105", "C1", "1200,00", "FA-1")])
      .replaceAll("1200,00", " 000000001200.00")
      .replaceAll("1000,00", "1 000,00")
      .replaceAll("20260105", "05/01/2026")
    writeFileSync(join(folder, NOW), text)
    expect((await pull()).said).toEqual(["invoice C1:FA-1 1200.00 open 1200.00"])
  })

  it("is known by its first line, whatever the case and the columns behind", () => {
    const head = fec([]).split("\r\n")[0]!
    expect(layoutOf(head)?.width).toBe(18)
    expect(layoutOf(`\uFEFF${head.toUpperCase()}\tCodeEtbt`)?.width).toBe(19)
    expect(layoutOf("Date\tMontant\tSens\tLibelle")).toBeUndefined()
  })

  it("shares a settled letter out among its invoices, oldest first, and guesses nothing about an open one", async () => {
    put(NOW, [
      sale("1", "20260105", "C1", "120,00", "FA-1", "A"),
      sale("2", "20260106", "C1", "60,00", "FA-2", "A"),
      receipt("3", "20260204", "C1", "150,00", "VIR-1", "A"),
      receipt("4", "20260205", "C1", "30,00", "VIR-2", "A"),
      sale("5", "20260301", "C1", "120,00", "FA-3", "b"),
      sale("6", "20260302", "C1", "120,00", "FA-4", "b"),
      receipt("7", "20260303", "C1", "50,00", "VIR-3", "b"),
      "BQ 10 20260303: 512 D 20,00 V-9 | 411/C1 C 20,00 V-9 b Virement FA-4",
      sale("8", "20260304", "C2", "120,00", "FA-5", "c"),
      receipt("9", "20260305", "C2", "50,00", "VIR-4", "c")
    ])
    expect((await pull()).said).toEqual([
      "invoice C1:FA-1 120.00 open 0.00",
      "invoice C1:FA-2 60.00 open 0.00",
      "payment 2026-02-04 120.00 of C1:FA-1, 30.00 of C1:FA-2",
      "payment 2026-02-05 30.00 of C1:FA-2",
      "invoice C1:FA-3 120.00",
      "invoice C1:FA-4 120.00",
      "payment 2026-03-03 50.00 of none",
      "payment 2026-03-03 20.00 of C1:FA-4",
      "invoice C2:FA-5 120.00 open 70.00",
      "payment 2026-03-05 50.00 of C2:FA-5"
    ])
  })

  it("follows a doubtful claim to another account, and a payment to the right customer", async () => {
    put(NOW, [
      sale("1", "20260105", "C1", "120,00", "FA-1", "A"),
      "OD 2 20260601: 411/C1 C 120,00 D-1 A Client douteux | 416/C1 D 120,00 D-1 B Client douteux",
      "BQ 3 20260701: 512 D 120,00 V-1 | 416/C1 C 120,00 V-1 B Virement",
      sale("4", "20260701", "C2", "60,00", "FA-2", "A"),
      receipt("5", "20260702", "C1", "60,00", "V-2", "Z"),
      "OD 6 20260703: 411/C1 D 60,00 OD-1 Z Erreur | 411/C2 C 60,00 OD-1 A Erreur"
    ])
    const { said, stated } = await pull()
    expect(said).toEqual([
      "invoice C1:FA-1 120.00 open 0.00",
      "payment 2026-07-01 120.00 of C1:FA-1",
      "invoice C2:FA-2 60.00 open 0.00",
      "payment 2026-07-02 60.00 of C2:FA-2"
    ])
    expect(stated).toMatchObject([{ column: "411, 416", amount: 0n, read: 0n }])
  })

  it("takes discounts, losses and write-offs as credit notes, and says so", async () => {
    put(NOW, [
      sale("1", "20260105", "C1", "120,00", "FA-1", "A"),
      "BQ 2 20260201: 512 D 117,60 V-1 | 665 D 2,00 V-1 | 44571 D 0,40 V-1 | 411/C1 C 120,00 V-1 A Virement escompte",
      sale("3", "20260105", "C2", "60,00", "FA-2", "A"),
      "OD 4 20260901: 654 D 50,00 P-1 | 44571 D 10,00 P-1 | 411/C2 C 60,00 P-1 A Irrécouvrable"
    ])
    const { notices, said } = await pull()
    expect(said).toEqual([
      "invoice C1:FA-1 120.00 open 0.00",
      "payment 2026-02-01 117.60 of C1:FA-1",
      "credit_note 2026-02-01 2.40 of C1:FA-1",
      "invoice C2:FA-2 60.00 open 0.00",
      "credit_note 2026-09-01 60.00 of C2:FA-2"
    ])
    expect(notices).toEqual([
      "a discount or a loss beside a payment: a credit note",
      "settled without money and without a credit note (a loss, a discount, set off): a credit note"
    ])
  })

  it("quarantines an entry that is not balanced, an invoice without a term, and a charge that nothing explains", async () => {
    put(NOW, [
      "VE 1 20260105: 411/C1 D 120,00 FA-1 | 706 C 100,00 FA-1 | 44571 C 2,00 FA-1",
      "OD 2 20260106: 411/C1 D 15,00 X-1 - Frais | 627 C 15,00 X-1",
      sale("3", "20260107", "C1", "60,00", "FA-2")
    ])
    const { refused, said } = await pullFrom(folder, { terms_days: 0 })
    expect(said).toEqual(["invoice C1:FA-2 60.00 open 60.00"])
    expect(refused).toEqual([
      `${NOW}:2: entry VE 1 is not balanced: its debits are 120.00, its credits 102.00, and they have to be equal; correct it in the program that wrote it, and export it again`,
      `${NOW}:5: 15.00 EUR were charged to Atelier Nord without revenue or money on the other side: what it asks for is not known; correct it in the program that wrote it, and export it again`
    ])
  })

  it("has an invoice for each customer of an entry that names no piece", async () => {
    put(NOW, ["VE 1 20260105: 411/C1 D 120,00  - Ventes | 411/C2 D 240,00  - Ventes | 706 C 300,00  | 44571 C 60,00 "])
    expect((await pull()).said).toEqual([
      "invoice C1:VE:1:2026-01-05 120.00 open 120.00",
      "invoice C2:VE:1:2026-01-05 240.00 open 240.00"
    ])
  })

  it("keeps an entry together whose lines are apart, and a text with a line end in it", async () => {
    const sales = [sale("1", "20260105", "C1", "120,00", "FA-1"), sale("2", "20260106", "C2", "60,00", "FA-2")]
    const rows = fec(sales).split("\r\n")
    const mixed = [rows[0], rows[1], rows[4], rows[2], rows[5], rows[3], rows[6]!.replace("Texte ", "Texte\n")]
    writeFileSync(join(folder, NOW), mixed.join("\r\n"))
    expect((await pull()).said).toEqual(["invoice C1:FA-1 120.00 open 120.00", "invoice C2:FA-2 60.00 open 60.00"])
  })
})

const OLD = [
  sale("1", "20251203", "C1", "120,00", "FA-90"),
  receipt("2", "20251210", "C1", "40,00", "VIR-9"),
  sale("3", "20251211", "C2", "60,00", "FA-91", "AA"),
  receipt("4", "20251212", "C2", "60,00", "VIR-8", "AA")
]
const NEW = [
  "AN 1 20260101: 411/C1 D 120,00 FA-90@20251203 AA Facture FA-90 | 411/C1 C 40,00 VIR-9@20251210 AA Virement | 890 C 80,00 AN",
  receipt("2", "20260110", "C1", "80,00", "VIR-1", "AA"),
  sale("3", "20260111", "C2", "60,00", "FA-1", "AA")
]

describe("FECs of two years", () => {
  it("are one ledger: what this year letters settles what last year asked for", async () => {
    put(BEFORE, OLD)
    put(NOW, NEW)
    const { refused, said, scans, stated } = await pull()
    expect([said, refused]).toEqual([
      [
        "invoice C1:FA-90 120.00 open 0.00",
        "payment 2025-12-10 40.00 of C1:FA-90",
        "invoice C2:FA-91 60.00 open 0.00",
        "payment 2025-12-12 60.00 of C2:FA-91",
        "payment 2026-01-10 80.00 of C1:FA-90",
        "invoice C2:FA-1 60.00 open 60.00"
      ],
      []
    ])
    expect(stated).toMatchObject([{ list: NOW, amount: 6_000_000_000n, read: 6_000_000_000n }])
    expect(scans).toEqual(["FEC 123456789 from 2025-12", "FEC 123456789 from 2026-01"])
  })

  it("without last year's file, takes what it itemises, and quarantines balances that it does not", async () => {
    put(NOW, [
      "AN 1 20260101: 411/C1 D 120,00 FA-90@20251203 - Facture FA-90 | 411/C2 D 30,00 AN - Solde | 890 C 150,00 AN",
      sale("2", "20260111", "C2", "60,00", "FA-1")
    ])
    const { refused, said } = await pull()
    expect(said).toEqual(["invoice C1:FA-90 120.00 open 120.00", "invoice C2:FA-1 60.00 open 60.00"])
    expect(refused).toEqual([
      `${NOW}:3: what Café Lumière owed before this year (30.00 EUR) is not itemised; add last year's FEC to the folder`
    ])
  })

  it("that do not fit together are quarantined with both balances", async () => {
    put(BEFORE, OLD.slice(0, 1))
    put(NOW, NEW)
    expect((await pull()).refused).toEqual([
      `${NOW}:2: Atelier Nord (C1) begins the year with 80.00 EUR, and ended the one before with 120.00 EUR: one of the two files is incomplete; export both again`
    ])
  })

  it("leave out an earlier export of the same year, and refuse other entries of the same days and other companies", async () => {
    put("123456789FEC20260630.txt", YEAR.slice(0, 4))
    put(NOW, YEAR)
    const { notices, said } = await pull()
    expect([said, notices]).toEqual([YEAR_SAID, ["an earlier export of the same year, or an empty file; left out"]])
    put("other.txt", [sale("1", "20260105", "C1", "999,00", "X-1"), sale("2", "20260301", "C1", "60,00", "X-2")])
    await expect(pull()).rejects.toThrow(/both have entries from 2026-01-05|have other entries of the same days/)
    rmSync(join(folder, "other.txt"))
    put("987654321FEC20261231.txt", YEAR)
    await expect(pull()).rejects.toThrow(/several companies \(SIREN 123456789, 987654321\)/)
  })

  it("are not read again while none of them changes", async () => {
    put(BEFORE, OLD)
    put(NOW, NEW)
    const { bookmark } = await pull()
    const later = Object.fromEntries(
      Object.entries(bookmark.files).map(([name, one]) => [
        name,
        { ...one, look: { ...one.look, at: Date.now() + 3_600_000 } }
      ])
    )
    const again = await pullFrom(folder, {}, { ...bookmark, files: later })
    expect([again.said, again.unchanged]).toEqual([[], ["FEC 123456789 from 2025-12", "FEC 123456789 from 2026-01"]])
  })

  it("are read in a thread of their own only if they are large", async () => {
    put(BEFORE, OLD)
    const isHeavy = () =>
      Effect.runPromise(ledger.isHeavy?.({ path: ".", terms_days: 30 }, undefined, { folder }) ?? Effect.succeed(false))
    expect(await isHeavy()).toBe(false)
    writeFileSync(join(folder, NOW), `${fec(NEW)}${" ".repeat(1 << 23)}`)
    expect(await isHeavy()).toBe(true)
  })

  it("beside electronic invoices, give only the money, by the invoices' numbers", async () => {
    put(NOW, YEAR)
    expect((await pull({ only: "payments" })).said).toEqual([
      "payment 2026-02-04 120.00 of FA-1",
      "payment 2026-02-03 240.00 of FA-2",
      "reversal error 2026-02-10 240.00 of FA-2"
    ])
  })
})

describe("a FEC that is not whole", () => {
  it("says that numbers of entries are missing, over all journals or within each, and that an account is odd", async () => {
    const sales = (numbers: ReadonlyArray<number>) =>
      numbers.map((n) => sale(String(n), "20260105", "C1", "120,00", `FA-${n}`))
    const money = (numbers: ReadonlyArray<number>) =>
      numbers.map((n) => receipt(String(n), "20260204", "C2", "10,00", `V-${n}`))
    const said = async (...entries: ReadonlyArray<string>) => {
      put(NOW, entries)
      return (await pull()).notices
    }
    expect(await said(...sales([1, 2, 3]), ...money([4, 5]))).toEqual([])
    expect(await said(...sales([1, 3]), ...money([2, 4]))).toEqual([])
    expect(await said(...sales([1, 2, 4]), ...money([1, 2]))).toEqual([
      "entries of journal VE are numbered from 1 to 4, and there are 3: entries may be missing from the file"
    ])
    expect(await said(...sales([1, 3, 7, 9]), ...money([2, 4, 6, 8]))).toEqual([
      "entries are numbered from 1 to 9, and there are 8: entries may be missing from the file"
    ])
    const odd = money([5, 6, 7, 8, 9, 10]).map((entry, n) => (n === 5 ? entry.replace("411/C2", "511/C2") : entry))
    expect(await said(...sales([1, 2, 3, 4]), ...odd)).toEqual([
      "lines name a customer or supplier on an account of nobody (1, the first is line 25, account 511): they count for no customer"
    ])
  })
})

describe("a damaged FEC", () => {
  it("is never read as other amounts in silence: cut at 20 places, and with bytes flipped", async () => {
    const whole = Buffer.from(fec([...NEW, ...YEAR.slice(2)]))
    const read = async (bytes: Buffer) => {
      writeFileSync(join(folder, NOW), bytes)
      return await pull().catch((error: Error) => error.message)
    }
    const right = await read(whole)
    if (typeof right === "string") throw new Error(right)
    const amounts = (of: typeof right) =>
      new Map(
        of.read.map(({ document: d }) => [
          `${d.kind} ${d.id}`,
          d.kind === "invoice"
            ? d.gross
            : "shares" in d
              ? d.shares.reduce((sum, one) => sum + one.amount, "unallocated" in d ? (d.unallocated ?? 0n) : 0n)
              : 0n
        ])
      )
    const known = amounts(right)
    const flipped = Array.from({ length: times(800) }, (_, n) => {
      const copy = Buffer.from(whole)
      copy[(n * 7919 + 400) % copy.length]! ^= 1 << (n % 8)
      return copy
    })
    const cut = Array.from({ length: 20 }, (_, n) => whole.subarray(0, Math.floor((whole.length * (n + 1)) / 21)))
    for (const bytes of [...cut, ...flipped]) {
      const found = await read(bytes)
      if (typeof found === "string") continue
      const isSaid = found.refused.length > 0 || found.stated.some(({ amount, read }) => amount !== read)
      for (const [name, amount] of amounts(found))
        expect(isSaid || !known.has(name) || known.get(name) === amount, name).toBe(true)
    }
  })
})
