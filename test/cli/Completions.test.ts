/** Completions for shells: made of the commands that there are, and working where the shell is there. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { desk, useCommand } from "../support/Cli.ts"

useCommand()

const COMPLETE = `source completions.bash
COMP_WORDS=(daybook "$1"); COMP_CWORD=1; COMP_LINE="daybook $1"; COMP_POINT=\${#COMP_LINE}
$(complete -p daybook | sed -E 's/.*-F ([^ ]+) .*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`

const hasBash = spawnSync("bash", ["--version"]).status === 0

describe("completions", () => {
  it("name every command, for each shell", async () => {
    const here = desk()
    for (const shell of ["bash", "zsh", "fish"]) {
      const { status, stdout } = await here.run("--completions", shell)
      assert.strictEqual(status, 0, shell)
      for (const name of ["connect", "init", "sync", "views"]) assert.include(stdout, name, shell)
    }
  })

  it("complete what is begun, in bash", async ({ skip }) => {
    if (!hasBash) skip("there is no bash on this machine")
    const here = desk()
    here.write("completions.bash", (await here.run("--completions", "bash")).stdout)
    const completed = (text: string) =>
      spawnSync("bash", ["-c", COMPLETE, "bash", text], { cwd: here.folder, encoding: "utf8" })
        .stdout.split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "")
    assert.sameMembers(completed("connect"), ["connect", "connections", "connectors"])
    assert.deepStrictEqual(completed("vie"), ["views"])
  })
})
