/** Which types Italian invoices may have: a changed digit would make a credit note of an invoice. */
import { describe, expect, it } from "vitest"
import { read } from "./Lines.ts"
import * as Xml from "./Xml.ts"

describe("types of Italian invoices", () => {
  it("that are of simplified ones are in no ordinary one, and the other way round", () => {
    expect(read(Xml.fattura({ type: "TD08" }))).toEqual([expect.stringMatching(/TD08 is one of simplified invoices/)])
    expect(read(Xml.simplified({ type: "TD04" }))).toEqual([expect.stringMatching(/TD04 is one of ordinary invoices/)])
    expect(read(Xml.simplified({ type: "TD07" }))).toEqual([expect.stringMatching(/^invoice 12\/2026 /)])
  })
})
