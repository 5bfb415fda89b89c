/** The page's question whether two payments are the same money, and its answers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { html } from "../../cli/page/Html.ts"
import { renderToString } from "preact-render-to-string"
import { find } from "../../cli/page/Routes.ts"
import { Database } from "../../sync/state/Database.ts"
import { invoice, payment } from "../support/Documents.ts"
import { inWorld, open } from "../sync/InWorld.ts"
import { BAKERY, received } from "../sync/Paying.ts"
import type { World } from "../sync/World.ts"

const asks = (world: World) =>
  open(world, "SELECT id, subject, why FROM attention WHERE closed IS NULL AND rule = 'V1'")

/** Answers a request of the page as a browser would send it. */
const page = (world: World, method: "GET" | "POST", path: string, posted: Record<string, string> = {}) =>
  world
    .life(
      Effect.gen(function* () {
        yield* Database
        const words = path.split("/").slice(1)
        const asked = {
          path: words,
          query: new URLSearchParams(),
          posted: new URLSearchParams(posted),
          form: "",
          name: "",
          person: {}
        }
        const around = { connections: [], wake: () => Effect.void }
        return yield* find(method, words)!(asked as never, around as never) as unknown as Effect.Effect<
          Record<string, unknown>,
          never,
          Database
        >
      })
    )
    .then((exit) => (exit._tag === "Success" ? exit.value : assert.fail(String(exit))))

const doubted = (work: (world: World, id: string) => Promise<void>) =>
  inWorld({ pays: true }, async (world) => {
    world.documents = [invoice(), payment("P1", "120.00", "2026-01-31")]
    world.payments = [received("D1", { ...BAKERY, amount: "120.00", date: "2026-03-08", reference: "INV-1" })]
    await world.sync()
    const [item, ...more] = asks(world)
    assert.deepStrictEqual(more, [])
    await work(world, String(item?.["id"]))
  })

describe("a payment that may be the same as one of another list", () => {
  it(
    "is asked about on the page, with each answer as a button",
    doubted(async (world, id) => {
      const { body } = await page(world, "GET", `/attention/${id}`)
      const text = renderToString(html`${body as never}`)
      assert.match(text, /<button name="same" value="?books\/payment\/P1"?>/)
      assert.include(text, "They are apart: both were received")
    })
  )

  for (const answer of [{ same: "books/payment/P1" }, { apart: "yes" }])
    it(
      `is settled by ${Object.keys(answer).join()}`,
      doubted(async (world, id) => {
        assert.strictEqual((await page(world, "POST", `/attention/${id}/same`))["status"], 422)
        const wrong = await page(world, "POST", `/attention/${id}/same`, { same: "books/payment/P9" })
        assert.strictEqual(wrong["status"], 422)
        assert.lengthOf(asks(world), 1)
        assert.deepInclude(await page(world, "POST", `/attention/${id}/same`, answer), { said: "answered" })
        await world.sync()
        assert.lengthOf(asks(world), 0)
      })
    )
})
