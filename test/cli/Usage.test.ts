/**
 * How the command behaves as a command: help with examples, mistakes on the line, what is quiet, what is coloured,
 * what only a terminal gets to see.
 */
import { assert, describe, it } from "@effect/vitest"
import { books, desk, NOWHERE, service, useCommand } from "../support/Cli.ts"

useCommand()

const COMMANDS = [
  [],
  ["demo"],
  ["sandbox"],
  ["connectors"],
  ["connectors", "list"],
  ["pull"],
  ["plan"],
  ["apply"],
  ["sync"],
  ["attention"],
  ["attention", "list"],
  ["attention", "show"],
  ["attention", "resolve"],
  ["attention", "retry"],
  ["explain"],
  ["export"],
  ["status"],
  ["doctor"]
]

describe.concurrent("help", () => {
  it("of every command shows what it is for, its options and an example", async () => {
    const { run } = desk()
    const all = await Promise.all(COMMANDS.map((words) => run(...words, "--help")))
    for (const [at, { status, stderr, stdout }] of all.entries()) {
      const name = ["daybook", ...COMMANDS[at]!].join(" ")
      assert.deepStrictEqual([status, stderr], [0, ""], name)
      assert.match(stdout, /^DESCRIPTION\n {2}\S/, name)
      assert.include(stdout, `USAGE\n  ${name} `, name)
      for (const option of ["--config FILE", "--state FILE", "--json", "--quiet", "--help"])
        assert.include(stdout, option)
      assert.match(stdout, new RegExp(`EXAMPLES\\n(?:.*\\n)*? {2}${name}`), name)
      assert.notInclude(stdout, "\u001b")
    }
  })

  it("is what the bare command shows, and lists every command", async () => {
    const { run } = desk()
    const { status, stdout } = await run()
    assert.strictEqual(status, 0)
    for (const [name] of COMMANDS) if (name !== undefined) assert.match(stdout, new RegExp(`^ {2}${name} {2,}\\S`, "m"))
  })

  it("has a version, said with and without the rest", async () => {
    const { run } = desk()
    assert.match((await run("--version")).stdout, /^daybook \d+\.\d+\.\d+\n$/)
    assert.strictEqual((await run("-v")).stdout, (await run("--version")).stdout)
  })
})

describe.concurrent("mistakes on the line", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["pul"], 'daybook: there is no command "pul"; did you mean pull?\ndaybook --help shows how it is used\n'],
    [["frobnicate"], 'daybook: there is no command "frobnicate"\ndaybook --help shows how it is used\n'],
    [
      ["attention", "resolv", "3"],
      'daybook: there is no command "resolv"; did you mean resolve?\ndaybook attention --help shows how it is used\n'
    ],
    [
      ["sync", "--jsno"],
      "daybook: there is no option --jsno here; did you mean --json?\ndaybook sync --help shows how it is used\n"
    ],
    [
      ["plan", "--sav", "x"],
      "daybook: there is no option --sav here; did you mean --save?\ndaybook plan --help shows how it is used\n"
    ],
    [["explain"], "daybook: <document|call> is missing\ndaybook explain --help shows how it is used\n"],
    [
      ["attention", "show", "x"],
      'daybook: <id>: "x" does not fit; a whole number is expected\ndaybook attention show --help shows how it is used\n'
    ],
    [["pull", "now"], 'daybook: "now" is more than this command takes\ndaybook pull --help shows how it is used\n'],
    [["pull", "--config"], "daybook: --config needs a value\ndaybook pull --help shows how it is used\n"]
  ]
  for (const [args, says] of cases) {
    it(`daybook ${args.join(" ")}`, async () => {
      const { run } = desk()
      const { status, stderr, stdout } = await run(...args)
      assert.deepStrictEqual([status, stdout, stderr], [2, "", says])
    })
  }

  it("a document, a call or a matter that is not there says where to look", async () => {
    const there = await service()
    const { run } = books(there.url)
    await run("sync")
    const says = async (...args: ReadonlyArray<string>) => {
      const { status, stderr, stdout } = await run(...args)
      assert.deepStrictEqual([status, stdout], [2, ""])
      return stderr
    }
    assert.strictEqual(await says("explain", "#999"), "daybook: there is no call #999 in the books\n")
    assert.strictEqual(
      await says("explain", "INV-77"),
      "daybook: there is no document \"INV-77\" in the books; give an invoice's number, a source's id, a key like books/invoice/INV-1, or a call like #12\n"
    )
    assert.strictEqual(
      await says("attention", "resolve", "99"),
      "daybook: there is no open matter 99; daybook attention lists them\n"
    )
    assert.strictEqual(
      await says("export", "books.pdf"),
      "daybook: books.pdf: the ending says what to write: .xlsx or .csv\n"
    )
  })
})

describe.concurrent("what is said, and where", () => {
  it("--quiet says only what is wrong", async () => {
    const there = await service()
    const here = books(there.url)
    const well = await here.run("sync", "--quiet")
    assert.deepStrictEqual([well.status, well.stdout, well.stderr], [3, "", ""])
    const ill = await here.runWith({ env: { SERVICE_KEY: "wrong" } }, "sync", "--quiet", "--state", "other.db")
    assert.deepStrictEqual([ill.status, ill.stdout], [1, ""])
    assert.match(ill.stderr, /^daybook: stopped: .* does not accept the key/)
  })

  it("has no colour and no progress on a pipe", async () => {
    const there = await service()
    const { run } = books(there.url)
    const { stderr, stdout } = await run("sync")
    assert.strictEqual(stderr, "")
    assert.notInclude(stdout, "\u001b")
    assert.notInclude(stdout, "\r")
  })

  it("takes colour from FORCE_COLOR, and takes NO_COLOR, --no-color and --json before it", async () => {
    const here = books(NOWHERE)
    await here.run("pull")
    const colored = await here.runWith({ env: { FORCE_COLOR: "1" } }, "plan")
    assert.include(colored.stdout, "\u001b[1mInvoices to tell the service\u001b[22m")
    for (const [env, ...args] of [
      [{ FORCE_COLOR: "1", NO_COLOR: "1" }, "plan"],
      [{ FORCE_COLOR: "1" }, "plan", "--no-color"],
      [{ FORCE_COLOR: "1" }, "plan", "--json"]
    ] as const) {
      assert.notInclude((await here.runWith({ env }, ...args)).stdout, "\u001b")
    }
  })

  it("fits a table into the columns that there are", async () => {
    const here = books(NOWHERE)
    await here.run("pull")
    const { stdout } = await here.runWith({ env: { COLUMNS: "70" } }, "plan")
    const rows = stdout.split("\n").filter((line) => / {2}T2 {2}/.test(line))
    assert.strictEqual(rows.length, 2)
    for (const row of rows) assert.isAtMost(row.length, 70)
  })

  it("is no error when the reader goes away", async () => {
    const here = books(NOWHERE)
    await here.run("pull")
    const through = (node: string, program: string) => ["sh", "-c", '"$0" "$@" | head -n 1', node, program] as const
    const { status, stderr } = await here.runWith({ through }, "plan", "--json")
    assert.deepStrictEqual([status, stderr], [0, ""])
  })
})
