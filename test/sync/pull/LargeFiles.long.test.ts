/** Large files are read in a thread of their own, whichever connector reads them: others are answered meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { einvoice } from "../../../connectors/einvoice/EInvoice.ts"
import * as List from "../../../connectors/list.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { pull } from "../../../sync/pull/Pull.ts"
// Loaded before anything is measured.
import "../../../sync/pull/ReadingThread.ts"
import { type ReaderEntry, ReaderThread, WITH_LARGE_FILES } from "../../../sync/pull/ReaderThread.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Xml from "../../connectors/einvoice/Xml.ts"
import { atEnd } from "../../support/AtEnd.ts"
import { remove } from "../../support/Built.ts"
import { busyDuring } from "../../support/Busy.ts"
import { planning } from "../../support/Documents.ts"

const READER: ReaderEntry = {
  module: new URL("../../../cli/Reader.ts", import.meta.url),
  connectors: WITH_LARGE_FILES
}

describe("a large file", () => {
  it("is read in a thread by every connector that says that it is large", async () => {
    const connectors = await Promise.all(List.connectors.map(({ load }) => load()))
    const say = connectors.flatMap(({ isHeavy, name }) => (isHeavy === undefined ? [] : [name]))
    assert.deepStrictEqual(say.toSorted(), WITH_LARGE_FILES)
  })

  it.live(
    "that is an electronic invoice keeps nobody waiting",
    () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "daybook-large-"))
        atEnd(() => remove(folder))
        const small = Xml.ubl({ number: "R-1" })
        writeFileSync(join(folder, "1.xml"), small)
        writeFileSync(
          join(folder, "2.xml"),
          Xml.ubl({ number: "R-2" }).replace("</Invoice>", `${"<cbc:Note/>".repeat(300_000)}</Invoice>`)
        )
        const connection = {
          id: "books",
          connector: einvoice,
          settings: { path: "." },
          planning
        } as unknown as Connection
        const { busy, done } = yield* busyDuring(pull(connection, { folder }))
        const { added, quarantined } = yield* Effect.fromResult(done)
        assert.isBelow(busy, 250)
        assert.strictEqual(added + quarantined, 2)
      }).pipe(
        Effect.provide(Layer.merge(outside, Layer.fresh(Database.layer({ file: ":memory:", mode: "share" })))),
        Effect.provideService(ReaderThread, READER)
      ),
    60_000
  )
})
