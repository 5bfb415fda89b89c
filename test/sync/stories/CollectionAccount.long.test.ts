/** The account for recovered money is in a variable: a confirmation is for the account, and not for the variable's name. */
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { readFileSync } from "node:fs"
import { collections, confirmed, inWindow, look, sync } from "../Collected.ts"
import { items } from "../Covered.ts"
import { report } from "../InWorld.ts"
import type { World } from "../World.ts"

const OTHER = "99887766"

/** A sync in which the variables have these values, beside those of `sync`. */
const withAccount = async (world: World, [number, sortcode]: readonly [string, string]) =>
  report(
    await world.sync({
      secrets: (name) =>
        Redacted.make(name === "BANK_NUMBER" ? number : name === "BANK_SORTCODE" ? sortcode : "tok_visa")
    })
  )

const sent = (world: World) => collections(world).map((one) => [one["sent"] !== null, one["bank_account_number"]])

describe("an invoice that was confirmed", () => {
  for (const [what, ...account] of [
    ["account", OTHER, "20-00-00"],
    ["bank", "12345678", "40-40-40"]
  ] as const)
    it(
      `is not handed over for another account: another ${what}`,
      inWindow(async (world) => {
        confirmed(world, { digest: look(world).digest })
        await withAccount(world, account)
        assert.deepStrictEqual(sent(world)[0]?.[0], false)
        assert.match(
          items(world)
            .map(({ why }) => why)
            .join(),
          /is not what Pat Tern was shown on .*: the confirmation is void/
        )
        // Nor for the first one once it is back: somebody set it meanwhile, and nobody knows why.
        await sync(world)
        assert.deepStrictEqual(sent(world)[0]?.[0], false)
        await withAccount(world, account)
        confirmed(world, { digest: look(world).digest })
        await withAccount(world, account)
        assert.deepStrictEqual(sent(world), [[true, account[0]]])
        assert.isFalse(readFileSync(world.file).includes(OTHER))
      })
    )

  it(
    "is handed over where the account is the same, or was not set for a while",
    inWindow(async (world) => {
      confirmed(world, { digest: look(world).digest })
      await world.sync({
        secrets: (name) => (name === "BANK_NUMBER" ? undefined : Redacted.make("20-00-00")),
        digest: "none"
      })
      await sync(world)
      assert.deepStrictEqual(sent(world), [[true, "12345678"]])
    })
  )
})
