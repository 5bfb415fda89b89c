/** What contradicts a confirmed handover until it is sent holds it up, and names itself; once that is right, it is sent. */
import { assert, describe, it } from "@effect/vitest"
import { rmSync, writeFileSync } from "node:fs"
import { ofType, useCommand } from "../support/Cli.ts"
import { ALL_DECLARED as ALL, type CoverDesk, day, digestOf, invoices, lateDesk, sentOn } from "../support/CoverDesk.ts"

useCommand()

describe.concurrent("an invoice that was confirmed", () => {
  /** What happens between the confirmation and the sync, and what the item then says. */
  const contradictions: ReadonlyArray<readonly [string, (desk: CoverDesk) => void, RegExp]> = [
    [
      "a record of it cannot be read",
      ({ path }) => writeFileSync(path("invoices.csv"), invoices().replace("1000.00,1000.00", "1ooo.oo,1ooo.oo")),
      /the latest record of books\/invoice\/INV-1 cannot be read/
    ],
    ["its file is missing", ({ path }) => rmSync(path("invoices.csv")), /failed or was not read to its end/],
    [
      "a record that names it cannot be read",
      ({ path }) =>
        writeFileSync(
          path("invoices.csv"),
          `${invoices()}INV-9,Harbour Lane Bakery Ltd,GB,,GBP,${day(-5)},${day(25)},x,x,Sent\n`
        ),
      /a record that may be about it cannot be read/
    ]
  ]
  for (const [what, change, why] of contradictions)
    it(`H8: is not handed over while ${what}, and is once that is right`, async () => {
      const desk = await lateDesk()
      const { does, path } = desk
      assert.strictEqual(
        (await does("collect", "INV-1", "--confirm", "--digest", await digestOf(desk), ...ALL)).status,
        0
      )
      change(desk)
      await does("sync")
      assert.strictEqual(await sentOn(desk), 0)
      const [item] = ofType(await does("attention", "--json"), "attention").filter(({ rule }) => rule === "H8")
      assert.match(String(item?.["why"]), why)
      writeFileSync(path("invoices.csv"), invoices())
      await does("sync")
      assert.strictEqual(await sentOn(desk), 1)
    })
})
