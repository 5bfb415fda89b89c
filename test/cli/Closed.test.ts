/** A library's handle after it was closed. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, Daybook, UsageError } from "../../sync/library/Daybook.ts"
import { METHODS } from "../support/Methods.ts"
import { configuration, KEY } from "../support/Cli.ts"

describe("a handle", () => {
  it("that is closed rejects with an error that says so, whatever is asked", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-closed-"))
    const config = configuration("http://localhost:9") as Config
    const daybook = await Daybook.open(config, {
      folder,
      state: join(folder, "daybook.db"),
      environment: { SERVICE_KEY: KEY }
    })
    await daybook.close()
    await daybook.close()
    const { close: _, ...all } = daybook as unknown as Readonly<
      Record<string, (...args: ReadonlyArray<unknown>) => unknown>
    >
    assert.sameMembers(Object.keys(all), [...METHODS, "run", "on", "events"])
    for (const [method, call] of Object.entries(all)) {
      const error = await (async () => call())().then(
        () => undefined,
        (cause: unknown) => cause
      )
      assert.instanceOf(error, UsageError, method)
      assert.instanceOf(error, Error, method)
      assert.match((error as Error).message, /was closed/, method)
    }
    const tenants = await Daybook.tenants({ list: [] })
    await tenants.close()
    for (const asked of [
      () => tenants.ask("a"),
      () => tenants.run(),
      () => tenants.backup("."),
      () => tenants.pause("a", "b")
    ])
      assert.instanceOf(
        await asked().then(
          () => undefined,
          (cause: unknown) => cause
        ),
        UsageError
      )
    rmSync(folder, { recursive: true })
  })
})
