/**
 * Every regular expression of the program, against texts that others might send: none takes much longer for a long text than its
 * length, so that no cell, name or address keeps the daemon from answering. They are found in the code, and tried on repetitions of
 * what they contain.
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { createContext, Script } from "node:vm"
import { parseAst } from "vitest/node"

/** Of a text of this length, an expression whose time grows with its square takes ten times the bound. */
const LENGTH = 16_000
const BOUND_MS = 25

/** These meet short texts only. */
const SHORT: Readonly<Record<string, string>> = {
  "/\\B(?=(\\d{3})+$)/g": "digits of numbers that were read, of which there are 20 at most",
  "/\\[([^\\]]+)\\]\\(([^)#\\s]+\\.md)(#[^)\\s]*)?\\)/g": "our own pages, when a release is made",
  "/\\[([^\\]]+)\\]\\([^)]*\\)/g": "our own pages, when a release is made",
  "/^\\| (.*?) \\| (.*) \\|$/": "our own pages, when a release is made",
  "/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+-[0-9a-f]{12,}/g": "paths of requests of a drill's own programs",
  "/\\(.*, (process .*)\\)/": "what a lock says of its holder"
}

interface Node {
  readonly type: string
  readonly start: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
}

/** Where each expression is. */
const places = new Map<string, Array<string>>()

const find = (node: unknown, file: string, text: string): void => {
  if (typeof node !== "object" || node === null) return
  const { regex, start, type } = node as Node
  if (type === "Literal" && regex !== undefined) {
    const key = `/${regex.pattern}/${regex.flags}`
    places.set(key, [...(places.get(key) ?? []), `${file}:${text.slice(0, start).split("\n").length}`])
  } else for (const one of Object.values(node)) find(one, file, text)
}

for (const file of globSync("{core,connectors,sync,cli}/**/*.ts")) {
  // Browsers run these on what their own person types; samples are our own texts.
  if (/sdk\/browser|Sample|testing/.test(file)) continue
  const text = readFileSync(file, "utf8")
  if (text.includes("/")) find(parseAst(text, { lang: "ts" }), file, text)
}

const USUAL = [..." a0A\t\n.,-/*\"'<([$@=&:;_\u00a0"]

/** Repetitions of what an expression contains, begun and ended in several ways. */
const texts = (pattern: string): ReadonlyArray<readonly [string, string, string]> => {
  const plain = pattern.replace(/\\[dswDSWbBnrtpPuxk]/g, "")
  const own = [...new Set(plain.replace(/\\(.)/g, "$1").replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, ""))].slice(0, 12)
  const words = [...new Set(plain.match(/[\p{L}:<>=/$[-]{2,}/gu) ?? [])].slice(0, 6)
  const singles = [...new Set([...own, ...USUAL])]
  const pairs = [...own.slice(0, 8), " ", "0"].flatMap((one) => own.map((other) => one + other))
  const heads = ["", "x", ...own.slice(0, 4), ...words]
  return heads.flatMap((head) =>
    [...new Set([...singles, ...words, ...(head.length < 2 ? pairs : [])])].map(
      (pump) => [head, pump, "\u0001"] as const
    )
  )
}

/** In a context of its own, where it can be ended. */
const context = createContext({ performance })
const trial = new Script(`(() => {
  const once = (text) => {
    const began = performance.now()
    expression.lastIndex = 0
    if (expression.global) text.replace(expression, "")
    else expression.exec(text)
    return performance.now() - began
  }
  let worst = 0
  let what = ""
  for (const [head, pump, end] of texts) {
    now = JSON.stringify([head, pump, end])
    const text = head + pump.repeat(${LENGTH} / pump.length) + end
    let ms = once(text)
    for (let n = 0; n < 2 && ms > ${BOUND_MS}; n++) ms = Math.min(ms, once(text))
    if (ms > worst) [worst, what] = [ms, now]
  }
  return worst > ${BOUND_MS} ? Math.round(worst) + " ms for " + what : undefined
})()`)

const slowness = (key: string): string | undefined => {
  const end = key.lastIndexOf("/")
  const [pattern, flags] = [key.slice(1, end), key.slice(end + 1).replace("y", "")]
  Object.assign(context, { expression: new RegExp(pattern, flags), texts: texts(pattern), now: "" })
  try {
    return trial.runInContext(context, { timeout: 5000 }) as string | undefined
  } catch {
    return `no end for ${String(context["now"])}`
  }
}

describe("regular expressions", () => {
  it("take no longer for a long text than it is long", { timeout: 900_000 }, () => {
    assert.isAbove(places.size, 700)
    const slow = [...places].flatMap(([key, where]) => {
      const said = key in SHORT ? undefined : slowness(key)
      return said === undefined ? [] : [`${key} ${said}: ${where.join(" ")}`]
    })
    assert.deepStrictEqual(slow, [])
  })

  it("that are left out are still there", () => {
    assert.deepStrictEqual(
      Object.keys(SHORT).filter((key) => !places.has(key)),
      []
    )
  })

  it("that take longer would be found", () => {
    for (const slow of [String.raw`/\/+$/`, "/^(a+)+$/", String.raw`/\s*\n/`, String.raw`/\[[^\]]*\]/g`])
      assert.match(slowness(slow) ?? "", /ms for|no end for/, slow)
    assert.isUndefined(slowness(String.raw`/(?<!\/)\/+$/`))
  })
})
