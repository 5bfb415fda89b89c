/**
 * Nothing that cannot be read is a dead end: each reason of the readers of files is listed from their source, and says what to do,
 * or is of a kind that adds it.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Refused, told } from "../../../connectors/Refused.ts"
import { Fault, NotABankFile } from "../../../connectors/files/bank/Entry.ts"
import { NotATable } from "../../../connectors/files/Table.ts"

const FOLDERS = ["einvoice", "files", "ledger", "tabular"].map((name) => join("connectors", name))

/** What is told to somebody: a reason, then what to do. */
const ADVICE =
  /(?:[;?:] |, |\(|\. |^)(?:or )?(?:add|ask|check|choose|close|correct|delete|enter|export|get|give|keep|leave|letter|look|make|map|name|put|remove|rename|run|save|say|set|sort|split|swap|take|turn|unpack|use|write)\b/i

/** These add what to do by themselves; what else a call says of it is its last argument. */
const ADDS = ["Refused", "Fault", "NotABankFile", "NotATable", "told", "wrong", "refuse", "bad"]

/** Another reason, in which what to do stands, is passed on. */
const PASSED = /\$\{(?:\w+\.)?(?:why|what|amount)\}|\.message\}|OUTSIDE/

/** The end of a call's arguments, with texts and what is put into them passed over. */
const endOf = (source: string, from: number): number => {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const sign = source[at]
    if (sign === '"' || sign === "`") {
      const end = at + 1 + source.slice(at + 1).search(sign === '"' ? /(?<!\\)"/ : /(?<![\\])`/)
      at = end
    } else if (sign === "(" || sign === "{" || sign === "[") depth++
    else if ((sign === ")" || sign === "}" || sign === "]") && depth-- === 0) return at
  }
  return source.length
}

interface Said {
  readonly by: string
  readonly text: string
  readonly at: string
}

/** Every call that makes a reason, with the texts in it. */
const said = (): ReadonlyArray<Said> => {
  const made =
    /\b(?:new (Refused|Fault|NotABankFile|NotATable|Unreadable)|(told|wrong|refuse|bad|misconfigured|unavailable))\(|\b(why|problem): (?=["`])/g
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => {
        const source = readFileSync(join(folder, name), "utf8")
        return [...source.matchAll(made)].flatMap(({ 0: all, 1: kind, 2: call, 3: member, index }) => {
          const from = index + all.length
          const inside = source.slice(from, member === undefined ? endOf(source, from) : source.indexOf("\n", from))
          const texts = [...inside.matchAll(/"((?:[^"\\]|\\.)*)"|`([^`]*)`/g)].map(
            ([, one, other = ""]) => one ?? other
          )
          const line = source.slice(0, index).split("\n").length
          const text = texts.filter((one) => /\s/.test(one)).join("; ")
          return text === "" ? [] : [{ by: kind ?? call ?? member ?? "", text, at: `${join(folder, name)}:${line}` }]
        })
      })
  )
}

describe("a reason why something cannot be read", () => {
  it("says what to do, wherever it is made", () => {
    const all = said()
    expect(all.length).toBeGreaterThan(200)
    expect(all.filter(({ by, text }) => !ADDS.includes(by) && !ADVICE.test(text) && !PASSED.test(text))).toEqual([])
  })

  it("says it once", () => {
    const twice = said().filter(
      ({ by, text }) =>
        ADDS.includes(by) &&
        /; (?:correct|export|get|set|ask|save|take) /.test(text.split("; ").slice(0, -1).join("; "))
    )
    expect(twice).toEqual([])
  })

  it.each([
    ["a document", new Refused("it has no total", "P_15").message],
    ["a record of a ledger", told("its sums differ")],
    ["an entry of a bank", new Fault("amount", "is missing").why],
    ["a bank's file", new NotABankFile("it has no statement").message],
    ["a table", new NotATable("it is empty").message]
  ])("of %s ends with what to do", (_, why) => {
    expect(why).toMatch(ADVICE)
  })
})
