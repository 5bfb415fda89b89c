/** What shows that an MT940 was damaged though its balances are met: what went back is stated once, in the details of its entry. */
import { describe, expect, it } from "vitest"
import { GERMAN } from "./Statements.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { pull } from "./support.ts"

const read = async (text: string) => {
  const { documents, notices, quarantined } = await pull(
    { "a.sta": text },
    { payments: { path: "a.sta", format: "mt940" } }
  )
  const reversals = documents.flatMap((one) =>
    one.kind === "reversal" ? [Decimal.format(one.unallocated ?? 0n, 2)] : []
  )
  return { reversals, said: [...notices.map(({ what }) => what), ...quarantined.map(({ why }) => why)] }
}

const DETAILS = /:86:109.*\n.*\n/

describe("a damaged MT940", () => {
  it("says nothing while it is whole", async () => {
    expect((await read(GERMAN)).reversals).toContain("119.00")
  })

  it.each([
    ["a field that there is not", GERMAN.replace(":86:109", ":85:109"), "begins with a colon, and no field of MT940"],
    ["a colon that begins nothing", GERMAN.replace(":86:109", ":>109"), "begins with a colon, and no field of MT940"],
    ["details without their field", GERMAN.replace(":86:109", "286:109"), "is text that is too long for it"],
    [
      "a head below entries",
      GERMAN.replace(":28C:00031/001\n", "").replace(DETAILS, "$&:28C:00031/001\n"),
      "(:28C:) is below an entry"
    ],
    [
      "details above their entry",
      GERMAN.replace(/(:61:2602100210DR122.*\n)(:86:109.*\n.*\n)/, "$2$1"),
      "is a second :86: of one entry"
    ]
  ])("says so: %s", async (_, text, why) => {
    const before = (await read(GERMAN)).said
    expect((await read(text)).said.filter((what) => !before.includes(what)).join("\n")).toContain(why)
  })

  it("goes on with a time that a line was broken within", async () => {
    const text = GERMAN.replace("?20Miete", "?20Miete 12\n:26:13 Uhr")
    expect((await read(text)).said.join("\n")).toContain("line 13 begins with a colon")
  })

  it.each([
    ["its code", GERMAN.replace(":86:109?00", ":86:1x9?0;")],
    ["its separator", GERMAN.replace(":86:109?00", ":86:109\u001f00")],
    ["what was collected, beside the charges", GERMAN.replace("OAMT+EUR 119,00", "")]
  ])("gives back what was collected though it lost %s", async (_, text) => {
    expect((await read(text)).reversals).toContain("119.00")
  })
})
