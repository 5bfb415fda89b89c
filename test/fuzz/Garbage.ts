/**
 * Malformed records, made from well-formed ones by dice: a member that is missing, of another type, too long, out of
 * range, nested, named like the language's own; a record that is none at all; a line of a file with cells that do not
 * belong there. Each carries a mark, by which it is found again.
 */
import * as Json from "../../connectors/Json.ts"
import type { Dice } from "../simulation/Dice.ts"

type Made = (mark: string) => unknown

const number = (text: string) => Json.parse(text)

/** A list in a list in a list. */
const deep = (levels: number, mark: string): unknown => {
  let value: unknown = mark
  for (let n = 0; n < levels; n++) value = n % 2 === 0 ? [value] : { a: value }
  return value
}

/** What no member should be; most members should not be most of them. */
export const GARBAGE: ReadonlyArray<Made> = [
  () => null,
  () => undefined,
  () => "",
  () => " ",
  (mark) => `${mark} garbage`,
  () => true,
  () => [],
  () => ({}),
  (mark) => [mark],
  (mark) => ({ mark }),
  () => number("-1"),
  () => number("0.000000001"),
  () => number("1e400"),
  () => number("99999999999999999999999999999999999999"),
  () => number("-0"),
  () => "NaN",
  () => "-12.50",
  () => "1,234.5.6",
  () => "0x10",
  () => "１２",
  () => "2026-02-31",
  () => "0000-00-00T99:99:99Z",
  () => "/Date(99999999999999999999)/",
  () => "+275760-09-13",
  () => "XYZ",
  () => "__proto__",
  () => "constructor",
  (mark) => `${mark}\u0000\u0007`,
  (mark) => `${mark}\ud800`,
  (mark) => `\u202e${mark}\u{1f4a3}`,
  (mark) => `=cmd|' /C calc'!A0 ${mark}`,
  (mark) => `'; DROP TABLE document; -- ${mark}`,
  (mark) => `../../../../etc/passwd ${mark}`,
  (mark) => `\${jndi:ldap://${mark}} {{7*7}} <script>`,
  (mark) => mark.repeat(4000),
  (mark) => deep(60, mark)
]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !Json.isNumeral(value)

/** Every member of a record, nested ones too, by path. */
const paths = (
  value: unknown,
  at: ReadonlyArray<string | number> = []
): ReadonlyArray<ReadonlyArray<string | number>> => {
  const entries: ReadonlyArray<readonly [string | number, unknown]> = isObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? value.map((one, n) => [n, one] as const)
      : []
  return entries.flatMap(([name, one]) => {
    const path = [...at, name]
    return name === MARK || name === "cursor" ? [] : at.length > 4 ? [path] : [path, ...paths(one, path)]
  })
}

/** The member that carries the mark. */
export const MARK = "zz"

/** A record with its mark, in its objects and those within them. */
export const marked = (record: unknown, mark: string, levels = 2): unknown =>
  isObject(record)
    ? {
        ...Object.fromEntries(
          Object.entries(record).map(([name, one]) => [name, levels > 0 ? marked(one, mark, levels - 1) : one])
        ),
        [MARK]: mark
      }
    : record

const isName = (member: string | number): boolean => /id$/i.test(String(member))

export interface Broken {
  readonly record: unknown
  /** What was done to it, in words. */
  readonly how: string
  /** It carries its mark, and is to be found by it. */
  readonly traced: boolean
}

/**
 * Breaks a record. `keep` are names of members that stay, because the source's paging needs them.
 */
export const broken = (record: unknown, mark: string, dice: Dice, keep: ReadonlySet<string> = new Set()): Broken => {
  if (keep.size === 0 && dice.chance(0.03)) {
    const whole = dice.of<unknown>([null, mark, [mark], number("7"), true, [[mark]]])
    const said = JSON.stringify(whole)
    return { record: whole, how: `the record is ${said}`, traced: said.includes(mark) }
  }
  const copy = marked(structured(record), mark)
  const some = paths(copy).filter((path) => !path.some((name) => keep.has(String(name))))
  const how: Array<string> = []
  let traced = true
  for (let n = dice.chance(0.8) ? 1 : 2 + dice.below(4); n > 0; n--) {
    const path = dice.of(some)
    if (path === undefined) continue
    const last = path.at(-1)!
    const made = dice.of(GARBAGE)!(mark)
    // Under another name it is another record, of which nothing else may be known, or which was there before.
    const value = isName(last) && typeof made === "string" ? `${mark} ${made}` : made
    if (isName(last) && (typeof value === "string" || Json.isNumeral(value))) traced = false
    let at: unknown = copy
    for (const name of path.slice(0, -1)) at = isObject(at) || Array.isArray(at) ? (at as never)[name] : undefined
    if (isObject(at) || Array.isArray(at)) {
      if (value === undefined && isObject(at)) delete at[String(last)]
      else (at as Record<string | number, unknown>)[last] = value
    }
    const words = value === undefined ? "missing" : (JSON.stringify(value) ?? "").slice(0, 60)
    how.push(`${path.filter((name) => typeof name === "string").join(".")} is ${words}`)
  }
  return { record: copy, how: how.join("; "), traced }
}

const structured = (record: unknown): unknown => Json.parse(JSON.stringify(record))

/** Cells that belong in no table of money. */
const CELLS: ReadonlyArray<(mark: string) => string> = [
  () => "",
  (mark) => `${mark}x`,
  () => "-",
  () => "1,2,3",
  () => "12.345678901",
  () => "1e9",
  () => "31/31/2026",
  () => "2026-13-01",
  () => "£1.00€",
  () => "999999999999999999999999",
  () => "=1+1",
  (mark) => `"${mark}`,
  (mark) => `${mark}"x"`,
  (mark) => `"${mark}""x"`,
  (mark) => `${mark}\u0000`,
  (mark) => `\u202e${mark}`,
  (mark) => `'; DROP TABLE document; -- ${mark}`,
  (mark) => mark.repeat(500)
]

/** Breaks a line of a file; `cells` as they stand between separators. */
export const brokenLine = (cells: ReadonlyArray<string>, mark: string, dice: Dice, separator = ","): string => {
  const row = [...cells]
  const at = dice.below(row.length)
  // Rows of one name are one document: a name that is garbage has the mark in it.
  if (at === 0) return [dice.of(CELLS)!(mark).replace(/^(?=.)/, mark), ...row.slice(1)].join(separator)
  switch (dice.below(8)) {
    case 0:
      row.splice(at, 1)
      break
    case 1:
      row.splice(at, 0, dice.of(CELLS)!(mark))
      break
    case 2:
      return `${mark}${separator}${separator}`
    default:
      row[at] = dice.of(CELLS)!(mark)
  }
  return row.join(separator)
}
