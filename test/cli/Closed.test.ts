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
    const all = { ...daybook } as unknown as Readonly<
      Record<string, (...args: ReadonlyArray<unknown>) => Promise<unknown>>
    >
    for (const method of [...METHODS, "run"]) {
      const error = await all[method]!().then(
        () => undefined,
        (cause: unknown) => cause
      )
      assert.instanceOf(error, UsageError, method)
      assert.match((error as Error).message, /was closed/)
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
