/**
 * How the command behaves as a command: help with examples, mistakes on the line, what is quiet, what is coloured,
 * what only a terminal gets to see.
 */
import { assert, describe, it } from "@effect/vitest"
import { books, configuration, desk, KEY, NOWHERE, service, useCommand } from "../support/Cli.ts"

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
  ["doctor"],
  ["preview"],
  ["daemon"],
  ["approve"],
  ["reject"],
  ["match"],
  ["match", "debtors"],
  ["match", "debtors", "choose"],
  ["cover"],
  ["cover", "quote"],
  ["cover", "buy"],
  ["cover", "reject"],
  ["collect"],
  ["reconcile"],
  ["connect"],
  ["connectors", "test"],
  ["connectors", "new"],
  ["backup"]
]

describe.concurrent("help", () => {
  it("of every command shows what it is for, its options and an example", async () => {
    const all = await desk().runEach(...COMMANDS.map((words) => [...words, "--help"]))
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
    const { runWith } = desk()
    const said = async (option: string) => (await runWith({ alone: true }, option)).stdout
    assert.match(await said("--version"), /^daybook \d+\.\d+\.\d+\n$/)
    assert.strictEqual(await said("-v"), await said("--version"))
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
    [["pull", "now"], 'daybook: "now" not expected by this command\ndaybook pull --help shows how it is used\n'],
    [["pull", "--config"], "daybook: --config needs a value\ndaybook pull --help shows how it is used\n"]
  ]
  it("are said in two lines, with what was probably meant, and end with 2", async () => {
    const all = await desk().runEach(...cases.map(([args]) => args))
    for (const [at, { status, stderr, stdout }] of all.entries()) {
      assert.deepStrictEqual([status, stdout, stderr], [2, "", cases[at]![1]])
    }
  })

  it("a document, a call or a matter that is not there says where to look", async () => {
    const there = await service()
    const { run, runEach } = books(there.url)
    await run("sync")
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["explain", "#999"], "no document or call in the books is called #999"],
      [
        ["explain", "INV-77"],
        'no document "INV-77" in the books; give an invoice number, the source\'s id, a key (books/invoice/INV-1), a line of a file (invoices.csv:12) or a call (#12)'
      ],
      [["attention", "resolve", "99"], "there is no open attention item 99; daybook attention lists them"],
      [["export", "books.ods"], "books.ods: the ending decides the format: .xlsx or .csv"],
      [["export", "books.pdf"], "a PDF is the statement of one customer: name it with --customer"]
    ]
    const all = await runEach(...cases.map(([args]) => args))
    for (const [at, { status, stderr, stdout }] of all.entries()) {
      assert.deepStrictEqual([status, stdout, stderr], [2, "", `daybook: ${cases[at]![1]}\n`])
    }
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
    assert.include(colored.stdout, "\u001b[1mInvoices to create\u001b[22m")
    for (const [env, ...args] of [
      [{ FORCE_COLOR: "1", NO_COLOR: "1" }, "plan"],
      [{ FORCE_COLOR: "1" }, "plan", "--no-color"],
      [{ FORCE_COLOR: "1" }, "plan", "--json"]
    ] as const) {
      assert.notInclude((await here.runWith({ env }, ...args)).stdout, "\u001b")
    }
  })

  it("colours what stands in a table without spoiling it", async () => {
    const there = await service()
    const here = books(there.url)
    await here.run("sync")
    const { stdout } = await here.runWith({ env: { FORCE_COLOR: "1" } }, "status")
    assert.include(stdout, "200.60  \u001b[2mnot checked: the source states no balance\u001b[22m")
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

describe.concurrent("the service on this machine", () => {
  it("prints where it runs as its first line, keeps its state in a file, and ends when it is asked to", async () => {
    const { folder, run, runWith, write } = books(NOWHERE)
    const start = () =>
      new Promise<{ readonly url: string; readonly end: () => Promise<number | null> }>((resolve) => {
        const ran = runWith(
          {
            onStart: (child) =>
              child.stdout?.once("data", (text) => {
                const { keys, url } = JSON.parse(text)
                assert.deepStrictEqual(keys, [KEY])
                const end = () => {
                  child.kill("SIGTERM")
                  return ran.then(({ status }) => status)
                }
                resolve({ url, end })
              })
          },
          ...["sandbox", "--port", "0", "--json", "--api-key", KEY, "--state", `${folder}/service.db`]
        )
      })
    const first = await start()
    write("daybook.config.json", JSON.stringify(configuration(first.url)))
    assert.strictEqual((await run("sync")).status, 3)
    const taken = await run("sandbox", "--port", new URL(first.url).port)
    assert.deepStrictEqual([taken.status, taken.stdout], [1, ""])
    assert.match(taken.stderr, /^daybook: port \d+ of 127\.0\.0\.1 is taken; choose another with --port/)
    assert.strictEqual(await first.end(), 130)
    const second = await start()
    const answer = await fetch(`${second.url}/v1/transactions`, { headers: { authorization: `Token ${KEY}` } })
    assert.strictEqual(((await answer.json()) as { readonly count: number }).count, 2)
    await second.end()
  })
})
