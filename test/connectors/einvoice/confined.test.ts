/** What the process that opens PDFs of strangers can do, if one of them has it run something. */
import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { apart, CONFINED } from "../../../connectors/Apart.ts"
import { attachments } from "../../../connectors/einvoice/Pdf.ts"

describe("the process that opens PDFs", () => {
  it("runs no text as code, writes no file and starts no program", { timeout: 240_000 }, async () => {
    const { ask, end } = apart("../test/support/TriesApart", CONFINED)
    assert.deepStrictEqual(await ask(join(tmpdir(), "daybook-written"), 120_000), {
      evaluates: "EvalError",
      writes: "ERR_ACCESS_DENIED",
      starts: "ERR_ACCESS_DENIED",
      diesFirst: "1000"
    })
    end()
    const opening = attachments(Buffer.from("%PDF-1.7 and no more")).catch(() => {})
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ")
    const isOpening = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("PdfProcess")
    const environment = readFileSync(`/proc/${children.find(isOpening)}/environ`, "utf8").split("\0")
    assert.include(environment, `NODE_OPTIONS=${CONFINED.join(" ")}`)
    await opening
  })
})
