/** What writes a file replaces no device and no pipe: as root, `daybook backup /dev/null` made a file of it. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { partialOf } from "../../core/TemporaryFolder.ts"
import { service, STATED, statedBooks, useCommand } from "../support/Cli.ts"

useCommand()

/** Each command that writes the file which is named. */
const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ["backup", "pipe.xlsx"],
  ["plan", "--save", "pipe.xlsx"],
  ["export", "pipe.xlsx"],
  ["views", "pipe.sqlite"]
]

describe.skipIf(process.platform === "win32")("a pipe or a device", () => {
  it("is not replaced by a file, whichever command is to write one", async () => {
    const here = statedBooks((await service()).url, {
      "invoices.csv": `${STATED}INV-1,Harbour Tea,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,120.00\n`
    })
    await here.run("pull")
    for (const words of COMMANDS) {
      const pipe = here.path(words.at(-1)!)
      if (!existsSync(pipe)) execFileSync("mkfifo", [pipe])
      const ran = await here.run(...words)
      assert.notStrictEqual(ran.status, 0, words.join(" "))
      assert.include(ran.stderr, "a device or a pipe", words.join(" "))
      assert.isTrue(statSync(pipe).isFIFO(), words.join(" "))
    }
  })

  it("has nothing beside it that could take its place", () => {
    for (const device of ["/dev/null", "/dev/zero"]) assert.throws(() => partialOf(device), /a device or a pipe/)
  })
})
