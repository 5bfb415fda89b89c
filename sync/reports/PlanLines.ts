/** Compares two plans as `daybook plan --json` prints them, such as those of two versions of Daybook. Pure. */
import { apart, type DocumentDifference, flat } from "./PlanDifference.ts"

/** A line of `--json` output. */
export type PlanLine = Readonly<Record<string, unknown>>

const textOf = (line: PlanLine | undefined, name: string): string => {
  const value = line?.[name]
  return typeof value === "string" ? value : ""
}

const ofType = (lines: ReadonlyArray<PlanLine>, type: string) => lines.filter((line) => line["type"] === type)

/** Calls by what they do; the second of the same kind is another. */
const numbered = (calls: ReadonlyArray<PlanLine>): ReadonlyMap<string, PlanLine> => {
  const found = new Map<string, PlanLine>()
  for (const call of calls) {
    let n = 1
    const name = `${textOf(call, "method")} ${textOf(call, "path")}`
    while (found.has(`${name} ${n}`)) n++
    found.set(`${name} ${n}`, call)
  }
  return found
}

const fieldsOf = (today: PlanLine, other: PlanLine) => {
  const [before, after] = [new Map(flat(today["body"])), new Map(flat(other["body"]))]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, today: before.get(field) ?? null, other: after.get(field) ?? null }))
    .filter((one) => one.today !== one.other)
}

const callsOf = (today: ReadonlyArray<PlanLine>, other: ReadonlyArray<PlanLine>): DocumentDifference["calls"] => {
  const [before, after] = [numbered(today), numbered(other)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): DocumentDifference["calls"] => {
    const [one, two] = [before.get(key), after.get(key)]
    const operation = key.replace(/ \d+$/, "")
    const rule = textOf(two ?? one, "rule")
    const because = {
      today: one === undefined ? null : textOf(one, "because"),
      other: two === undefined ? null : textOf(two, "because")
    }
    if (one === undefined || two === undefined)
      return [
        {
          change: one === undefined ? "only other" : "only today",
          operation,
          rule,
          because,
          fields: []
        }
      ]
    const fields = fieldsOf(one, two)
    const isSame = fields.length === 0 && textOf(one, "rule") === rule
    return isSame ? [] : [{ change: "different", operation, rule, because, fields }]
  })
}

/** What the lines of two plans say of each document: how they differ, or that they are the same. */
export const compareLines = (
  today: ReadonlyArray<PlanLine>,
  other: ReadonlyArray<PlanLine>,
  add: (one: DocumentDifference | "same") => void
): void => {
  const by = (lines: ReadonlyArray<PlanLine>, type: string) =>
    Map.groupBy(ofType(lines, type), (line) => textOf(line, "document"))
  const calls = [by(today, "call"), by(other, "call")] as const
  const items = [by(today, "attention"), by(other, "attention")] as const
  for (const document of new Set([...calls, ...items].flatMap((all) => [...all.keys()]))) {
    const its = callsOf(calls[0].get(document) ?? [], calls[1].get(document) ?? [])
    const attention = apart(
      items[0].get(document) ?? [],
      items[1].get(document) ?? [],
      (line) => `${textOf(line, "rule")} ${textOf(line, "why")}`
    ).map(({ change, one }) => ({
      change,
      rule: textOf(one, "rule"),
      why: textOf(one, "why"),
      todo: textOf(one, "todo")
    }))
    if (its.length + attention.length === 0) add("same")
    else
      add({
        document,
        connection: document.slice(0, document.indexOf("/")),
        reason: { today: null, other: null },
        amounts: { today: {}, other: {} },
        calls: its,
        attention
      })
  }
}
