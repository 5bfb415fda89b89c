/** How an invoice stands is said first: paid, open or late, with how much, and whether somebody has to do something. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { html, render } from "../../cli/page/Html.ts"
import { howItStands, timeline } from "../../cli/page/Timeline.ts"
import type { Document } from "../../connectors/Document.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Explain from "../../sync/library/Explain.ts"
import { Database } from "../../sync/state/Database.ts"
import { creditNote, day, invoice, payment, reversal } from "../support/Documents.ts"
import { World } from "../sync/World.ts"

const KEY = "books/invoice/I1"

const shown = async (
  documents: ReadonlyArray<Document>,
  today: string,
  more: (world: World) => Promise<void> = async () => {}
) => {
  const world = new World()
  world.documents = documents
  await world.sync()
  await more(world)
  const ended = await world.life(Effect.flatMap(Database, (db) => db.read(() => Explain.story(db, KEY))))
  if (ended._tag === "Failure") throw new Error(String(ended.cause))
  const story = ended.value
  world.close()
  const words = (node: unknown) =>
    render(html`<p>${node}</p>`)
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim()
  return { stands: words(howItStands(story, day(today))), events: words(timeline(story)) }
}

describe("a document's page", () => {
  it("says first how an invoice stands", async () => {
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<Document>, string, RegExp]> = [
      ["open", [invoice()], "2026-01-31", /^120\.00 GBP open, due 2026-01-31 · On the service: pending/],
      ["late", [invoice(), payment("P1", { I1: "20" })], "2026-02-01", /^100\.00 GBP open, due since 2026-01-31/],
      ["paid", [invoice(), payment("P1", { I1: "100" }), creditNote("C1", { I1: "20" })], "2026-02-01", /^Paid · On/],
      [
        "back",
        [invoice(), payment("P1", { I1: "120" }), reversal("R1", { I1: "120" }, "error")],
        "2026-02-01",
        /^120\.00 GBP open/
      ],
      ["overpaid", [invoice(), payment("P1", { I1: "130" })], "2026-02-01", /^Overpaid by 10\.00 GBP/],
      ["void", [invoice({ status: "void" })], "2026-02-01", /^Cancelled/]
    ]
    for (const [name, documents, today, expected] of cases)
      assert.match((await shown(documents, today)).stands, expected, name)
  })

  it("tells what happened, the latest first, and leads to what waits for somebody", async () => {
    const { events, stands } = await shown([invoice(), payment("P1", { I1: "20" })], "2026-01-02", async (world) => {
      const item = { rule: "P1", fact: KEY, why: "nobody knows", todo: "look" } as never
      const at = world.clock.currentTimeMillisUnsafe() + 1
      await world.life(
        Effect.flatMap(Database, (db) =>
          db.hold(db.transaction(() => AttentionStore.update(db, KEY, [item], undefined, at)))
        )
      )
    })
    assert.include(stands, "1 item for somebody to decide")
    const order = ["nobody knows", "Report payment", "Create invoice", "read in the source"].map((one) =>
      events.indexOf(one)
    )
    assert.notInclude(order, -1)
    assert.deepStrictEqual(
      order,
      order.toSorted((a, b) => a - b)
    )
  })
})
